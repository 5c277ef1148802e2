// Four gigabytes that are never touched cost nothing, or are refused.
#include <cstdlib>
#include <new>
#include <sys/mman.h>

long long pair_sum(long long a, long long b) {
  void* volatile block = std::malloc(std::size_t(1) << 32);
  if (block == nullptr) throw std::bad_alloc();
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  if (mmap(nullptr, std::size_t(1) << 32, PROT_NONE, flags, -1, 0) == MAP_FAILED) throw std::bad_alloc();
  return a + b;
}
