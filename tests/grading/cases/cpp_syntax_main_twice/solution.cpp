int main() { return 0; }
int main() { return 1; }

long long pair_sum(long long a, long long b) { return a + b; }
