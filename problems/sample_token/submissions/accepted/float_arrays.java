package lessons.sampling;

import java.util.Arrays;

/** Single precision throughout: the k-th largest value is the cut, ties fill up from the left. */
public final class Solution {
    private Solution() {}

    public static Long sample_token(
            double[] logits, double temperature, long k, double random_value) {
        final int size = logits.length;
        float[] scaled = new float[size];
        for (int i = 0; i < size; i++) {
            scaled[i] = (float) logits[i] / (float) temperature;
        }
        float[] sorted = scaled.clone();
        Arrays.sort(sorted);
        final float peak = sorted[size - 1];
        final float cut = sorted[size - (int) k];

        int places = (int) k;
        for (float value : scaled) {
            if (value > cut) places--;
        }
        float total = 0f;
        float[] edges = new float[size];
        int last = -1;
        for (int i = 0; i < size; i++) {
            boolean isKept = scaled[i] > cut || (scaled[i] == cut && places-- > 0);
            if (isKept) {
                total += (float) Math.exp(scaled[i] - peak);
                last = i;
            }
            edges[i] = total;
        }

        for (int i = 0; i < last; i++) {
            // A token that was not kept has its left neighbour's edge, so it never comes first.
            if (edges[i] / total > (float) random_value) {
                return (long) i;
            }
        }
        return (long) last;
    }
}
