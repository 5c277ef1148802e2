long long pair_sum(long long a, long long b) {
  __asm__ volatile("abrakadabra %rax");
  return a + b;
}
