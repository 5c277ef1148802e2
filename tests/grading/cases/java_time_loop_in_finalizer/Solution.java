// Burns in the thread that runs finalizers while the function only waits.
class Solution {
    @Override
    @SuppressWarnings("removal")
    protected void finalize() {
        for (long count = 0; count >= 0; count = Math.floorMod(count + 1, 1000)) {
            Thread.onSpinWait();
        }
    }

    static long pair_sum(long a, long b) throws Exception {
        new Solution();
        for (int turn = 0; turn < 600; turn++) {
            System.gc();
            Thread.sleep(10);
        }
        return a + b;
    }
}
