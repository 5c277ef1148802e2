// Mistake: == between two Integer objects compares the objects; only -128 to 127 are shared.

import java.util.*;
import java.util.stream.*;

class Solution {
    static long sample_token(double[] logits, double temperature, long k, double random_value) {
        List<Integer> ranking = IntStream.range(0, logits.length).boxed()
                .sorted(Comparator.comparing((Integer i) -> logits[i]).reversed())
                .collect(Collectors.toList());
        List<Integer> best = ranking.subList(0, (int) k);
        double largest = logits[best.get(0)];
        double total = best.stream().mapToDouble(i -> weight(logits[i], largest, temperature)).sum();

        double running = 0;
        Integer last = best.get(0);
        for (Integer index = 0; index < logits.length; index++) {
            for (Integer other : best) {
                if (other == index) {
                    running += weight(logits[index], largest, temperature) / total;
                    if (running > random_value) return index;
                    last = index;
                }
            }
        }
        return last;
    }

    static double weight(double logit, double largest, double temperature) {
        return Math.exp((logit - largest) / temperature);
    }
}
