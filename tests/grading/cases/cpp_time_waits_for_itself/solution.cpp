#include <mutex>
#include <thread>

long long pair_sum(long long a, long long b) {
  std::mutex one;
  one.lock();
  std::thread([&] { one.lock(); }).join();
  return a + b;
}
