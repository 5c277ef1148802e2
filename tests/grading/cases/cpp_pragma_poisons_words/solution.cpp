long long pair_sum(long long a, long long b) { return a + b; }

#pragma GCC poison constexpr decltype __wrap_main
