long long pаir_sum(long long a, long long b) { return a + b; }
