#include <cstring>

long long pair_sum(long long a, long long b) {
  volatile char small[8];
  volatile int size = 4096;
  std::memset(const_cast<char*>(small), int(a | 0x41), size);
  return a + b + small[0];
}
