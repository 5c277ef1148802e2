import java.util.HashSet;
import java.util.Set;

class Solution {
    static long pair_sum(long a, long b) {
        Set<String> kept = new HashSet<>();
        for (long index = 0; index < 100_000_000L; index++) {
            kept.add(("x".repeat(100_000) + index).intern());
        }
        return a + b;
    }
}
