#include <cstdio>

long long pair_sum(long long, long long) {
  for (;;) std::fputs("again\n", stderr);
}
