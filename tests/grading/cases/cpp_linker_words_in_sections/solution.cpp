// What linkers of other systems read as orders, and a stack that wants to be executable.
__asm__(".section .drectve,\"\"\n.ascii \"-plugin:/tmp/evil.so\"\n.text");
__asm__(".section .note.GNU-stack,\"x\",@progbits\n.text");
__asm__(".section .deplibs,\"MS\",@progbits,1\n.asciz \"evil\"\n.text");
__asm__(".symver pair, pair@@EVIL_1\n");
__asm__(".comm main_of_another, 8\n.weak not_there\n");

long long pair_sum(long long a, long long b) { return a + b; }
