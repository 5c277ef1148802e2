import java.util.concurrent.CountDownLatch;

class Solution {
    static long pair_sum(long a, long b) throws Exception {
        CountDownLatch all = new CountDownLatch(60);
        for (int i = 0; i < 60; i++) {
            new Thread(() -> {
                try {
                    all.countDown();
                    all.await();
                } catch (InterruptedException interrupted) {
                    throw new IllegalStateException(interrupted);
                }
            }).start();
        }
        all.await();
        return a + b;
    }
}
