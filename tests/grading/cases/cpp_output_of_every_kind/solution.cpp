#include <cstdio>
#include <iostream>
#include <unistd.h>

long long pair_sum(long long a, long long b) {
  std::ios_base::sync_with_stdio(false);
  std::cout << "one xin chào 你好";
  std::cerr << "two";
  std::clog << "three";
  std::printf("%s", "four");
  std::fputs("five", stderr);
  const char rest[] = "\0\xff\x1b[31m<b>";
  return write(1, rest, sizeof rest - 1) > 0 ? a + b : 0;
}
