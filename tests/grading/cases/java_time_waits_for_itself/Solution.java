class Solution {
    static long pair_sum(long a, long b) throws Exception {
        Thread.currentThread().join();
        return a + b;
    }
}
