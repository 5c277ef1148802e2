import java.util.ArrayList;
import java.util.List;

class Solution {
    static long pair_sum(long a, long b) {
        List<long[]> all = new ArrayList<>();
        while (all.size() < 100_000) {
            all.add(new long[1024]);
        }
        return a + b;
    }
}
