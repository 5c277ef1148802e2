#include <chrono>
#include <thread>

long long pair_sum(long long a, long long b) {
  std::this_thread::sleep_for(std::chrono::minutes(1));
  return a + b;
}
