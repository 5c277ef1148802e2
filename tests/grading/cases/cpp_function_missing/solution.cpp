long long sum_pair(long long a, long long b) { return a + b; }
