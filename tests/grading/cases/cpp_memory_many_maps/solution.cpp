// Right only if 256 MB can be held in many small maps: shared ones of nothing and of a device, and
// a private one that grows.
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <sys/mman.h>

static char* checked(void* block) {
  if (block == MAP_FAILED) throw std::runtime_error(std::strerror(errno));
  return static_cast<char*>(block);
}

long long pair_sum(long long a, long long b) {
  const std::size_t size = 1 << 20;
  const int both = PROT_READ | PROT_WRITE;
  const int zero = open("/dev/zero", O_RDWR);
  std::size_t grown = size;
  char* growing = checked(mmap(nullptr, size, both, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  for (int part = 0; part < 86; ++part) {
    std::memset(checked(mmap(nullptr, size, both, MAP_SHARED | MAP_ANONYMOUS, -1, 0)), 1, size);
    std::memset(checked(mmap(nullptr, size, both, MAP_SHARED, zero, 0)), 1, size);
    growing = checked(mremap(growing, grown, grown + size, MREMAP_MAYMOVE));
    std::memset(growing + grown, 1, size);
    grown += size;
  }
  return a + b;
}
