// Mistake: the difference of two logits is cut to an int, so logits less than 1 apart look equal.

import java.util.Arrays;

class Solution {
    static long sample_token(double[] logits, double temperature, long k, double random_value) {
        Integer[] order = new Integer[logits.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (a, b) -> (int) (logits[b] - logits[a]));
        Integer[] kept = Arrays.copyOf(order, (int) k);
        Arrays.sort(kept, (a, b) -> a - b);

        double largest = Arrays.stream(kept).mapToDouble(i -> logits[i]).max().getAsDouble();
        double[] weights = Arrays.stream(kept)
                .mapToDouble(i -> Math.exp((logits[i] - largest) / temperature)).toArray();
        double total = Arrays.stream(weights).sum();
        double running = 0;
        for (int j = 0; j < k; j++) {
            running += weights[j] / total;
            if (running > random_value) return kept[j];
        }
        return kept[kept.length - 1];
    }
}
