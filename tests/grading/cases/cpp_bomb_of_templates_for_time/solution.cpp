template <int n, long long m>
struct Bomb {
  static constexpr long long value = Bomb<n - 1, 2 * m>::value + Bomb<n - 1, 2 * m + 1>::value;
};
template <long long m>
struct Bomb<0, m> {
  static constexpr long long value = m;
};

long long pair_sum(long long a, long long b) { return a + b + Bomb<40, 0>::value; }
