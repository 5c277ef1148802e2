// Mistake: the key is a long, but its product is computed in int and overflows before that.

import java.util.Arrays;

class Solution {
    static final int PLACES = 1000;

    static long sample_token(double[] logits, double temperature, long k, double random_value) {
        long[] keys = new long[logits.length];
        for (int i = 0; i < logits.length; i++) {
            int scaled = (int) Math.round(logits[i] * 100000);
            keys[i] = scaled * PLACES - i;
        }
        long[] sorted = keys.clone();
        Arrays.sort(sorted);
        long cut = sorted[logits.length - (int) k];

        double largest = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < logits.length; i++) {
            if (keys[i] >= cut) largest = Math.max(largest, logits[i]);
        }
        double total = 0;
        for (int i = 0; i < logits.length; i++) {
            if (keys[i] >= cut) total += Math.exp((logits[i] - largest) / temperature);
        }
        double running = 0;
        int last = -1;
        for (int i = 0; i < logits.length; i++) {
            if (keys[i] < cut) continue;
            running += Math.exp((logits[i] - largest) / temperature) / total;
            if (running > random_value) return i;
            last = i;
        }
        return last;
    }
}
