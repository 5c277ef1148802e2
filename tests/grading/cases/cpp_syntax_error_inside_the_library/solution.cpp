#include <algorithm>
#include <vector>

struct Item {};

long long pair_sum(long long a, long long b) {
  std::vector<Item> items(2);
  std::sort(items.begin(), items.end());
  return a + b;
}
