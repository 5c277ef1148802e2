// Each thread alone stays below the limit: right only if their times are not added up.
#include <ctime>
#include <thread>
#include <vector>

static void burn() {
  timespec used = {};
  while (used.tv_sec == 0 && used.tv_nsec < 400'000'000) clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
}

long long pair_sum(long long a, long long b) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(burn);
  for (auto& thread : threads) thread.join();
  return a + b;
}
