#include <cstdlib>

long long pair_sum(long long, long long) { std::quick_exit(3); }
