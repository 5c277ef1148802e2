class Solution {
    static long count;

    static {
        while (count >= 0) {
            count = Math.max(0, count + 1);
        }
    }

    static long pair_sum(long a, long b) {
        return a + b;
    }
}
