#include <csignal>
#include <sys/syscall.h>
#include <unistd.h>

long long pair_sum(long long a, long long b) {
#if defined(__x86_64__)
  syscall(SYS_getpid | 0x40000000);
#else
  raise(SIGSYS);
#endif
  return a + b;
}
