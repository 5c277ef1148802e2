#include <iostream>

int main() {
  int n, sum = 0;
  std::cin >> n;
  while (n--) {
    int x = 0;
    std::cin >> x;
    sum += x;
  }
  std::cout << sum << '\n';
}
