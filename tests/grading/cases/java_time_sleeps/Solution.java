class Solution {
    static long pair_sum(long a, long b) throws Exception {
        Thread.sleep(60_000);
        return a + b;
    }
}
