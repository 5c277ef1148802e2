#include <new>
#include <thread>
long long pair_sum(long long a, long long b) {
  std::thread([] { throw std::bad_alloc(); }).join();
  return a + b;
}
