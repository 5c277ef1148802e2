long long pair_sum(long long a, long long b) {
  if (a < b) {
    return a + b;
  return b + a;
}
