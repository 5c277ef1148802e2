#include <iostream>

long long pair_sum(long long a, long long b) { return a + b; }

int main(int argc, char** argv) {
  for (;;) std::cout << pair_sum(argc, 2) << argv[0] << std::endl;
}
