// Mistake: remove(int) takes away what stands at that place, not the token of that number.

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

class Solution {
    static long sample_token(double[] logits, double temperature, long k, double random_value) {
        List<Integer> dropped = new ArrayList<>();
        for (int i = logits.length - 1; i >= 0; i--) dropped.add(i);
        List<Integer> kept = new ArrayList<>();
        while (kept.size() < k) {
            int best = dropped.get(0);
            for (int i : dropped) {
                if (logits[i] >= logits[best]) best = i;
            }
            kept.add(best);
            dropped.remove(best);
        }
        double largest = logits[kept.get(0)];
        Collections.sort(kept);

        double total = 0;
        for (int i : kept) total += Math.exp((logits[i] - largest) / temperature);
        double sum = 0;
        for (int i : kept) {
            sum += Math.exp((logits[i] - largest) / temperature) / total;
            if (sum > random_value) return i;
        }
        return kept.get(kept.size() - 1);
    }
}
