long long pair_sum(long long a, long long b) {
  volatile long long* nowhere = nullptr;
  *nowhere = a;
  return b;
}
