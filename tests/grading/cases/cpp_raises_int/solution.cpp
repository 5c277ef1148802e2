long long pair_sum(long long, long long) { throw 42; }
