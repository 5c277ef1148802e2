#include <future>
#include <thread>

long long pair_sum(long long a, long long b) {
  long long first = 0;
  std::thread thread([&] { first = a; });
  thread.join();
  return std::async(std::launch::async, [=] { return first + b; }).get();
}
