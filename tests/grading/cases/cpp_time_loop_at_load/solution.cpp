static const int ready = [] {
  for (volatile int i = 0;; i = i + 1) {
  }
  return 1;
}();

long long pair_sum(long long a, long long b) { return a + b + 0 * ready; }
