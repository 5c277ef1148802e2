#include <vector>

long long pair_sum(long long a, long long b) {
  long long sum = a + b
  return sum;
}
