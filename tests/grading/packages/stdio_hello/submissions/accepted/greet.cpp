#include <iostream>
#include <string>

int main() {
  std::string word;
  std::cout << "Good morning,";
  while (std::cin >> word) std::cout << ' ' << word;
  std::cout << "!\n";
}
