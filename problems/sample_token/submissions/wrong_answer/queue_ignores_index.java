// Mistake: a PriorityQueue is not stable; equal logits leave it in no particular order.

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.TreeSet;

class Solution {
    static int sample_token(double[] logits, double temperature, long k, double random_value) {
        PriorityQueue<Integer> queue =
                new PriorityQueue<>(Comparator.comparingDouble((Integer i) -> -logits[i]));
        for (int i = 0; i < logits.length; i++) {
            queue.offer(i);
        }
        final double peak = logits[queue.peek()];
        TreeSet<Integer> kept = new TreeSet<>();
        while (kept.size() < k) {
            kept.add(queue.poll());
        }

        double total = 0.0;
        for (int i : kept) {
            total += Math.exp((logits[i] - peak) / temperature);
        }
        double edge = 0.0;
        for (int i : kept) {
            edge += Math.exp((logits[i] - peak) / temperature) / total;
            if (edge > random_value) {
                return i;
            }
        }
        return kept.last();
    }
}
