import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

class Solution {
    static long pair_sum(long a, long b) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(8);
        Future<Long> first = pool.submit(() -> a);
        Future<Long> second = CompletableFuture.supplyAsync(() -> b);
        return first.get() + second.get();
    }
}
