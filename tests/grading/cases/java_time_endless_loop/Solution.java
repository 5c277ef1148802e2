class Solution {
    static long pair_sum(long a, long b) {
        long i = 0;
        while (a + b < Long.MAX_VALUE) {
            try {
                i++;
            } catch (Throwable thrown) {
                i--;
            }
        }
        return i;
    }
}
