#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

long long pair_sum(long long a, long long b) {
  const int count = 4;
  std::mutex mutex;
  std::condition_variable all_here;
  int here = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&] {
      std::unique_lock<std::mutex> lock(mutex);
      ++here;
      all_here.notify_all();
      all_here.wait(lock, [&] { return here == count; });
    });
  }
  for (auto& thread : threads) thread.join();
  return a + b + here - count;
}
