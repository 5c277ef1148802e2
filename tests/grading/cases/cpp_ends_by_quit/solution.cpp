// Asks for a core file.
#include <csignal>
#include <sys/resource.h>

long long pair_sum(long long a, long long b) {
  rlimit core = {};
  getrlimit(RLIMIT_CORE, &core);
  if (core.rlim_cur != 0 || core.rlim_max != 0) return a + b;
  std::raise(SIGQUIT);
  return 0;
}
