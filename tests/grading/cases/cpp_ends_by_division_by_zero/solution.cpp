long long pair_sum(long long a, long long b) {
  volatile long long zero = 0;
  return (a + b) / zero;
}
