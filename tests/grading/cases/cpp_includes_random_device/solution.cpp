#include "/dev/urandom"

long long pair_sum(long long a, long long b) { return a + b; }
