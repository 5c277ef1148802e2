#include <new>
#include <cstring>
#include <sys/mman.h>

long long pair_sum(long long, long long) {
  const size_t size = 1 << 30;
  void* shared = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw std::bad_alloc();
  std::memset(shared, 1, size);
  return 0;
}
