// Right only if 256 MB can be held in shared maps of files that have no name any more.
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>

long long pair_sum(long long a, long long b) {
  const std::size_t size = 1 << 22;
  for (int part = 0; part < 64; ++part) {
    const int file = open("/tmp/file", O_CREAT | O_RDWR, 0600);
    if (file < 0 || ftruncate(file, size) != 0) throw std::runtime_error(std::strerror(errno));
    void* block = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (block == MAP_FAILED) throw std::runtime_error(std::strerror(errno));
    unlink("/tmp/file");
    close(file);
    std::memset(block, 1, size);
  }
  return a + b;
}
