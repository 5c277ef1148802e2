#include <cstdlib>

long long pair_sum(long long, long long) { std::abort(); }
