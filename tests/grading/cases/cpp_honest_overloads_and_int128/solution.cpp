#include <cstddef>

double pair_sum(double a, double b) { return a - b; }

__int128 pair_sum(long long& a, const long long& b) {
  a += b;
  return a;
}

long long pair_sum(long long a, long long b, long long c) { return a + b + c; }
