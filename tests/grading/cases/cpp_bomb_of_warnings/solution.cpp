#define W1 _Pragma("GCC warning \"0123456789012345678901234567890123456789012345678901234567890123456789\"")
#define W2 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1
#define W3 W2 W2 W2 W2 W2 W2 W2 W2 W2 W2
#define W4 W3 W3 W3 W3 W3 W3 W3 W3 W3 W3
#define W5 W4 W4 W4 W4 W4 W4 W4 W4 W4 W4
#define W6 W5 W5 W5 W5 W5 W5 W5 W5 W5 W5
W6
long long pair_sum(long long a, long long b) { return a + b; }
