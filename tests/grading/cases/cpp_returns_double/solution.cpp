#include <cmath>

double pair_sum(long long a, long long b) { return std::floor(a + b); }
