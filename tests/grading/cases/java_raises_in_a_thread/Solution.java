class Solution {
    static long pair_sum(long a, long b) throws Exception {
        Thread thread = new Thread(() -> { throw new IllegalStateException("only this thread"); });
        thread.start();
        thread.join();
        return a + b;
    }
}
