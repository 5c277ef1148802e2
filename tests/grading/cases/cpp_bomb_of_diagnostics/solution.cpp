#define A(x) int x = "1"; int x = nope##x;
#define B(x) A(x##0) A(x##1) A(x##2) A(x##3) A(x##4) A(x##5) A(x##6) A(x##7) A(x##8) A(x##9)
#define C(x) B(x##0) B(x##1) B(x##2) B(x##3) B(x##4) B(x##5) B(x##6) B(x##7) B(x##8) B(x##9)
#define D(x) C(x##0) C(x##1) C(x##2) C(x##3) C(x##4) C(x##5) C(x##6) C(x##7) C(x##8) C(x##9)
#pragma GCC warning "one"
D(v)
template <int n> struct Deep { static int go() { return Deep<n - 1>::go() + n; } };
template <> struct Deep<0> { static int go() { return nothing_of_the_kind; } };

long long pair_sum(long long a, long long b) { return a + b + Deep<800>::go(); }
