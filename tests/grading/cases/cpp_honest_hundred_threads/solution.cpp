// Small stacks, so that only the number counts; another test case may run beside this one.
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

static void* linger(void*) {
  usleep(100000);
  return nullptr;
}

long long pair_sum(long long a, long long b) {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 1 << 16);
  std::vector<pthread_t> threads(100);
  for (auto& thread : threads) {
    const int error = pthread_create(&thread, &small, linger, nullptr);
    if (error != 0) throw std::runtime_error(std::to_string(&thread - threads.data()));
  }
  for (auto thread : threads) pthread_join(thread, nullptr);
  return a + b;
}
