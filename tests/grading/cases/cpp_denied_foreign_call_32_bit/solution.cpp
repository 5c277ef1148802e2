#include <csignal>

long long pair_sum(long long a, long long b) {
#if defined(__x86_64__)
  int result = 20;
  __asm__ volatile("int $0x80" : "+a"(result) : : "memory");
#else
  raise(SIGSYS);
#endif
  return a + b;
}
