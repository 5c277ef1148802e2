// Mistake: tokens equal to the cut are left out, and their places in the array stay null.

import java.util.Arrays;

class Solution {
    static long sample_token(double[] logits, double temperature, long k, double random_value) {
        double[] sorted = logits.clone();
        Arrays.sort(sorted);
        int first = logits.length - (int) k;
        double below = first == 0 ? Double.NEGATIVE_INFINITY : sorted[first - 1];

        Integer[] kept = new Integer[(int) k];
        int count = 0;
        for (int i = 0; i < logits.length; i++) {
            if (logits[i] > below) kept[count++] = i;
        }

        double largest = sorted[logits.length - 1];
        double total = 0;
        for (int i : kept) total += Math.exp((logits[i] - largest) / temperature);
        double sum = 0;
        for (int i : kept) {
            sum += Math.exp((logits[i] - largest) / temperature) / total;
            if (sum > random_value) return i;
        }
        return kept[kept.length - 1];
    }
}
