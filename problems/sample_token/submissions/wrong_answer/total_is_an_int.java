// Mistake: += casts silently, so the int total drops the fraction of every weight.

import java.util.*;

class Solution {
    static long sample_token(double[] logits, double temperature, long k, double random_value) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < logits.length; i++) order.add(i);
        order.sort((a, b) -> Double.compare(logits[b], logits[a]));
        double largest = logits[order.get(0)];
        List<Integer> kept = new ArrayList<>(order.subList(0, (int) k));
        Collections.sort(kept);

        int total = 0;
        for (int i : kept) total += Math.exp((logits[i] - largest) / temperature);
        double sum = 0;
        for (int i : kept) {
            sum += Math.exp((logits[i] - largest) / temperature) / total;
            if (sum > random_value) return i;
        }
        return kept.get(kept.size() - 1);
    }
}
