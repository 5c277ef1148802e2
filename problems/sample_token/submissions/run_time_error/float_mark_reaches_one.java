// Mistake: as a float the mark may round up to 1, and the guess at its place leaves the array.

import java.util.stream.IntStream;

class Solution {
    static int sample_token(double[] logits, double temperature, long k, double random_value) {
        int[] kept = IntStream.range(0, logits.length).boxed()
                .sorted((a, b) -> Double.compare(logits[b], logits[a]))
                .limit(k).mapToInt(Integer::intValue).sorted().toArray();
        double largest = IntStream.of(kept).mapToDouble(i -> logits[i]).max().orElseThrow();
        double[] edges = new double[kept.length];
        double total = 0;
        for (int j = 0; j < kept.length; j++) {
            total += Math.exp((logits[kept[j]] - largest) / temperature);
            edges[j] = total;
        }

        // Begin where the mark would fall if all weights were equal, then correct the guess.
        float mark = (float) random_value;
        int j = (int) (mark * kept.length);
        while (j > 0 && edges[j - 1] / total > mark) j--;
        while (j < kept.length - 1 && edges[j] / total <= mark) j++;
        return kept[j];
    }
}
