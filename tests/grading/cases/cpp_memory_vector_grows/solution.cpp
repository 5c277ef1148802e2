#include <vector>

long long pair_sum(long long a, long long b) {
  std::vector<long long> all;
  for (;;) all.push_back(a);
  return b;
}
