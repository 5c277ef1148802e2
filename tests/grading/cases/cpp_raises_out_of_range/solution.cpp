#include <vector>

long long pair_sum(long long a, long long b) {
  std::vector<long long> pair = {a, b};
  return pair.at(2);
}
