#include <stdexcept>

static const int size = [] () -> int { throw std::logic_error("before main"); }();

long long pair_sum(long long a, long long b) { return a + b + 0 * size; }
