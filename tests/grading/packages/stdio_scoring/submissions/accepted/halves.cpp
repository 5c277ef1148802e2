#include <iostream>
#include <string>

int main() {
  int n;
  std::cin >> n;
  unsigned long long high = 0, low = 0;
  const unsigned long long base = 1000000000000000000ULL;
  while (n--) {
    unsigned long long x;
    std::cin >> x;
    high += x / base;
    low += x % base;
    high += low / base;
    low %= base;
  }
  std::string digits = std::to_string(low);
  if (high > 0) digits = std::to_string(high) + std::string(18 - digits.size(), '0') + digits;
  std::cout << digits << '\n';
}
