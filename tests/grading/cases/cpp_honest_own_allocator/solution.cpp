#include <cstdlib>
#include <new>
#include <vector>

static long long blocks = 0;
void* operator new(std::size_t size) {
  ++blocks;
  if (void* block = std::malloc(size)) return block;
  throw std::bad_alloc();
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }

long long pair_sum(long long a, long long b) {
  std::vector<long long> items = {a, b};
  return blocks > 0 ? items[0] + items[1] : 0;
}
