// Mistake: the walk looks for an edge above the mark and trusts that there is one.

import java.util.Arrays;
import java.util.Comparator;

class Solution {
    long sample_token(double[] logits, double temperature, long k, double random_value) {
        Integer[] order = new Integer[logits.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, Comparator.comparingDouble(i -> -logits[i]));
        int[] kept = new int[(int) k];
        for (int j = 0; j < k; j++) kept[j] = order[j];
        Arrays.sort(kept);

        double[] edges = new double[kept.length];
        double total = 0;
        for (int j = 0; j < kept.length; j++) {
            edges[j] = Math.exp((logits[kept[j]] - logits[order[0]]) / temperature);
            total += edges[j];
        }
        edges[0] /= total;
        for (int j = 1; j < kept.length; j++) edges[j] = edges[j - 1] + edges[j] / total;

        int j = 0;
        while (edges[j] <= random_value) j++;
        return kept[j];
    }
}
