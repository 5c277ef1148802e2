template <int n>
struct Deep {
  static constexpr long long value = Deep<n + 1>::value;
};

long long pair_sum(long long a, long long b) { return a + b + Deep<0>::value; }
