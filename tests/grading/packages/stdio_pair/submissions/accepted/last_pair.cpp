#include <cstdlib>
#include <iostream>
#include <vector>

int main() {
  int n, d;
  std::cin >> n >> d;
  std::vector<int> numbers(n);
  for (int& number : numbers) std::cin >> number;
  for (int i = n - 1; i >= 0; --i) {
    for (int j = 0; j < i; ++j) {
      if (std::abs(numbers[i] - numbers[j]) == d) {
        std::cout << numbers[j] << '\n' << numbers[i] << '\n';
        return 0;
      }
    }
  }
  std::cout << "none\n";
}
