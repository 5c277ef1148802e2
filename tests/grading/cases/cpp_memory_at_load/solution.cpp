#include <vector>

static std::vector<long long> table(1 << 27, 7);

long long pair_sum(long long a, long long b) { return a + b + table[0] - 7; }
