#include <cstdlib>
#include <unistd.h>

struct Last {
  ~Last() {
    for (;;) pause();
  }
};
static Last last;
static thread_local Last last_of_thread;

__attribute__((destructor)) static void after() { _exit(3); }

long long pair_sum(long long a, long long b) {
  std::atexit([] { _exit(3); });
  static Last local;
  return a + b + (&last_of_thread == nullptr);
}
