// Signals interrupt whatever is interrupted by them, ten thousand times a second.
#include <csignal>
#include <sys/time.h>

long long pair_sum(long long a, long long b) {
  std::signal(SIGALRM, [](int) {});
  std::signal(SIGPROF, [](int) {});
  const itimerval often = {{0, 100}, {0, 100}};
  setitimer(ITIMER_REAL, &often, nullptr);
  setitimer(ITIMER_PROF, &often, nullptr);
  for (volatile int i = 0;; i = i + 1) {
  }
  return a + b;
}
