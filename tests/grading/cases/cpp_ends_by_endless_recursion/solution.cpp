#include <vector>

long long deeper(std::vector<long long>& seen, volatile long long* above, long long n) {
  volatile long long frame[64] = {n, *above};
  return deeper(seen, frame, n + 1) + frame[0];
}

long long pair_sum(long long a, long long b) {
  std::vector<long long> seen;
  volatile long long start = a;
  return deeper(seen, &start, 0) + b;
}
