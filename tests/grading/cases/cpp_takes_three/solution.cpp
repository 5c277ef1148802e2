long long pair_sum(long long a, long long b, long long c) { return a + b + c; }
