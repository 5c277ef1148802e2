// Uses nine tenths of its limit by its own clock.
#include <ctime>

long long pair_sum(long long a, long long b) {
  while (std::clock() < 0.45 * CLOCKS_PER_SEC) {
  }
  return a + b;
}
