constexpr long long burn() {
  long long sum = 0;
  for (long long i = 0; i < 1000000000000; ++i) sum += i % 7;
  return sum;
}

long long pair_sum(long long a, long long b) {
  constexpr long long burned = burn();
  return a + b + burned;
}
