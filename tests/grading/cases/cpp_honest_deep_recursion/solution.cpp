// 48 MB of stack: the limit on it is 64 MB.
static long long deeper(long long n, volatile char* above) {
  volatile char frame[1000];
  frame[n % 1000] = above[0];
  return n == 0 ? frame[0] : deeper(n - 1, frame) + frame[n % 1000] * 0;
}

long long pair_sum(long long a, long long b) {
  volatile char start[1] = {1};
  return a + b + deeper(46'000, start) * 0;
}
