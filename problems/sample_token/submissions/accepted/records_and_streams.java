// A record for each token, streams for the ranking and the weights.

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

class Solution {
    record Token(int index, double logit) {}

    static long sample_token(double[] logits, double temperature, long k, double random_value) {
        List<Token> ranking = IntStream.range(0, logits.length)
                .mapToObj(i -> new Token(i, logits[i]))
                .sorted(Comparator.comparingDouble(Token::logit).reversed())
                .toList();
        double largest = ranking.get(0).logit();

        List<Token> kept = ranking.stream()
                .limit(k)
                .sorted(Comparator.comparingInt(Token::index))
                .toList();
        double[] weights = kept.stream()
                .mapToDouble(token -> Math.exp((token.logit() - largest) / temperature))
                .toArray();
        double total = java.util.Arrays.stream(weights).sum();

        double running = 0.0;
        for (int j = 0; j < weights.length; j++) {
            running += weights[j] / total;
            if (running > random_value) {
                return kept.get(j).index();
            }
        }
        return kept.get(kept.size() - 1).index();
    }
}
