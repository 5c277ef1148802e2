#include <vector>

long long pair_sum(long long a, long long b) {
  std::vector<char> block(56 << 20, 1);
  return a + b + block[block.size() / 2] - 1;
}
