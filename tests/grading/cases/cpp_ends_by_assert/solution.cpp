#include <cassert>

long long pair_sum(long long a, long long b) {
  assert(a + b < -1000000);
  return a + b;
}
