import java.util.List;

class Solution {
    static long pair_sum(long a, long b) {
        List<Long> pair = List.of(a, b);
        return pair.stream().mapToLong(item -> pair.get(2)).sum();
    }
}
