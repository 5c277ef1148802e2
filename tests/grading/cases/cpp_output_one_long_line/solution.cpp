#include <iostream>
#include <string>

long long pair_sum(long long a, long long b) {
  std::cout << std::string(10'000'000, 'x');
  return a + b;
}
