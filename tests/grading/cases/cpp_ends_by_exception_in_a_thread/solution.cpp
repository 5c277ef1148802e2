#include <stdexcept>
#include <thread>

long long pair_sum(long long a, long long b) {
  std::thread([] { throw std::out_of_range("nobody catches this"); }).join();
  return a + b;
}
