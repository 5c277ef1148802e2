// Right only if the program break moves by 256 MB.
#include <new>
#include <unistd.h>

long long pair_sum(long long a, long long b) {
  for (int part = 0; part < 64; ++part) {
    char* block = static_cast<char*>(sbrk(1 << 22));
    if (block == reinterpret_cast<char*>(-1)) throw std::bad_alloc();
    for (int at = 0; at < 1 << 22; at += 4096) block[at] = 1;
  }
  return a + b;
}
