__asm__(".rept 2000000000\nnop\n.endr\n.macro again\nagain\n.endm\nagain");

long long pair_sum(long long a, long long b) { return a + b; }
