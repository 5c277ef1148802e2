// What a finalizer, a cleaner or a hook does after the answer is not waited for.
import java.lang.ref.Cleaner;

class Solution {
    @Override
    @SuppressWarnings("removal")
    protected void finalize() throws Exception {
        Thread.sleep(60_000);
    }

    static long pair_sum(long a, long b) throws Exception {
        Cleaner cleaner = Cleaner.create();
        for (int index = 0; index < 1000; index++) {
            cleaner.register(new Solution(), () -> {
                try {
                    Thread.sleep(60_000);
                } catch (InterruptedException interrupted) {
                    Runtime.getRuntime().halt(4);
                }
            });
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            while (true) {
                Thread.onSpinWait();
            }
        }));
        System.gc();
        return a + b;
    }
}
