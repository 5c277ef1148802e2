void pair_sum(long long, long long) {}
