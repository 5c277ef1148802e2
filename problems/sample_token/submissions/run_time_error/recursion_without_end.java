// Mistake: after the last token the walk begins again with the same mark, and again, and again.

import java.util.*;

class Solution {
    private final List<Integer> kept = new ArrayList<>();
    private final List<Double> weights = new ArrayList<>();

    long sample_token(double[] logits, double temperature, long k, double random_value) {
        PriorityQueue<Integer> queue = new PriorityQueue<>(
                Comparator.comparing((Integer i) -> -logits[i]).thenComparing(i -> i));
        for (int i = 0; i < logits.length; i++) queue.add(i);
        double largest = logits[queue.peek()];
        while (kept.size() < k) kept.add(queue.poll());
        Collections.sort(kept);

        double total = 0;
        for (int i : kept) total += Math.exp((logits[i] - largest) / temperature);
        for (int i : kept) weights.add(Math.exp((logits[i] - largest) / temperature) / total);
        return walk(0, 0, random_value);
    }

    private int walk(int place, double sum, double mark) {
        if (place == kept.size()) return walk(0, 0, mark);
        double edge = sum + weights.get(place);
        return edge > mark ? kept.get(place) : walk(place + 1, edge, mark);
    }
}
