// An instance method: a queue hands out the k best tokens, a sorted map walks them by index.

import java.util.*;

public class Solution {
    private final TreeMap<Integer, Double> kept = new TreeMap<>();

    public int sample_token(double[] logits, double temperature, long k, double random_value) {
        PriorityQueue<Integer> queue = new PriorityQueue<>((a, b) -> {
            int byLogit = Double.compare(logits[b], logits[a]);
            return byLogit != 0 ? byLogit : Integer.compare(a, b);
        });
        for (int i = 0; i < logits.length; i++) {
            queue.add(i);
        }
        double largest = logits[queue.peek()];
        double total = 0.0;
        while (kept.size() < k) {
            int index = queue.poll();
            double weight = Math.exp((logits[index] - largest) / temperature);
            kept.put(index, weight);
            total += weight;
        }
        return owner(random_value * total);
    }

    private int owner(double mark) {
        double covered = 0.0;
        for (Map.Entry<Integer, Double> entry : kept.entrySet()) {
            covered += entry.getValue();
            if (covered > mark) {
                return entry.getKey();
            }
        }
        return kept.lastKey();
    }
}
