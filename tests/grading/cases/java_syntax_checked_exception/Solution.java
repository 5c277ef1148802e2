class Solution {
    static long pair_sum(long a, long b) {
        Thread.sleep(1);
        return a + b;
    }
}
