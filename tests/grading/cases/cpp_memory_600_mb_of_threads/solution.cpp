// Right only if the stacks of many small threads can hold 600 MB.
#include <atomic>
#include <cstring>
#include <pthread.h>
#include <stdexcept>
#include <unistd.h>

static std::atomic<int> held{0};

static void* hold(void*) {
  volatile char block[3 << 20];
  for (std::size_t at = 0; at < sizeof block; at += 4096) block[at] = 1;
  ++held;
  for (;;) pause();
}

long long pair_sum(long long a, long long b) {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 4 << 20);
  for (int i = 0; i < 200; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, &small, hold, nullptr) != 0) throw std::runtime_error("no thread");
  }
  while (held < 200) usleep(1000);
  return a + b;
}
