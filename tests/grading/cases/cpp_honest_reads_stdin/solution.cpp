#include <iostream>
#include <string>

long long pair_sum(long long a, long long b) {
  std::string word;
  return std::cin >> word ? 0 : a + b;
}
