long long pair_sum(long long a, long long b) {
  for (volatile long long i = 0;; i = i + 1) {
  }
  return a + b;
}
