// The stacks of many threads hold no 600 MB.
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

class Solution {
    static long deeper(long n) {
        return n + deeper(n + 1);
    }

    static long pair_sum(long a, long b) throws Exception {
        CountDownLatch held = new CountDownLatch(200);
        for (int index = 0; index < 200; index++) {
            new Thread(null, () -> {
                try {
                    deeper(0);
                } catch (StackOverflowError full) {
                    held.countDown();
                }
                while (true) {
                    LockSupport.park();
                }
            }, "deep", 4 << 20).start();
        }
        held.await();
        return a + b;
    }
}
