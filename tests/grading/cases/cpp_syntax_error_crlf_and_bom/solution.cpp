// one
// two
long long pair_sum(long long a, long long b) {
  return a + c;
}
