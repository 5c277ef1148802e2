#error solution.cpp:9:9: error: /usr/lib/secret
long long pair_sum(long long a, long long b) { return a + b; }
