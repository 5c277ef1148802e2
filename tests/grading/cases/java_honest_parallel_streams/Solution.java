import java.util.stream.IntStream;
import java.util.stream.LongStream;

class Solution {
    static long pair_sum(long a, long b) {
        return LongStream.of(a, b).parallel().sum() + IntStream.range(0, 1000).parallel().map(i -> 0).sum();
    }
}
