// The threads of a parallel stream burn together; their times are added up.
import java.util.stream.IntStream;

class Solution {
    static long pair_sum(long a, long b) {
        return IntStream.range(0, 16).parallel().mapToLong(part -> {
            long count = part;
            while (count >= 0) {
                count = Math.floorMod(count + 1, 1000);
            }
            return count;
        }).sum();
    }
}
