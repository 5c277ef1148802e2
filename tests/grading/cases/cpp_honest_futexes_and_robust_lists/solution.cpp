// Shared futexes, barriers of all processes and a broken robust list: contained.
#include <cstdint>
#include <ctime>
#include <sys/syscall.h>
#include <unistd.h>

long long pair_sum(long long a, long long b) {
  static std::uint32_t words[4];
  static std::uintptr_t head[3] = {1, std::uintptr_t(1) << 40, 0};
  head[2] = reinterpret_cast<std::uintptr_t>(words);
  const timespec at_once = {0, 1};
  for (int operation = 0; operation < 16; ++operation) {
    for (int flags : {0, 128, 256}) syscall(SYS_futex, words, operation | flags, 1, &at_once, words, 0);
  }
  for (int command = 0; command < 10; ++command) syscall(SYS_membarrier, 1 << command, 0, 0);
  for (int list = 0; list < 64; ++list) syscall(SYS_set_robust_list, head, sizeof head);
#if defined(SYS_rseq)
  syscall(SYS_rseq, words, 32, 0, 0);
#endif
  return a + b;
}
