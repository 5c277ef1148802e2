// A program that names a loader of its own: none but the host's own is there to be named.
#include <fcntl.h>

__attribute__((section(".interp"), used)) static const char own[] = "/tmp/loader";

long long pair_sum(long long a, long long b) { return open("/tmp/loader", O_RDONLY) < 0 ? a + b : 0; }
