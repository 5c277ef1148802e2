unsigned long long pair_sum(long long a, long long b) { return a + b + (1ull << 63); }
