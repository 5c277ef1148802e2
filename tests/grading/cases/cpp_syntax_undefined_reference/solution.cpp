long long helper(long long x);

long long pair_sum(long long a, long long b) { return helper(a) + b; }
