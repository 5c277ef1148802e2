#include <iostream>

long long pair_sum(long long, long long) {
  for (;;) std::cout << "again\n";
}
