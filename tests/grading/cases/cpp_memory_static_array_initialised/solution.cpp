char table[700 << 20] = {1};

long long pair_sum(long long a, long long b) { return a + b + table[a & 0xffff]; }
