#define int long long
#define main other_main
#define pair_sum f
#define namespace struct
#define return if (true) return
#define extern static
#define constexpr
#define read write
#define std

int pair_sum(int a, int b) { return a + b; }

int main() { return 0; }
