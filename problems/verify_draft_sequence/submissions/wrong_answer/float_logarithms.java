// Mistake: logarithms in single precision; near -70 a float is no finer than 0.000007.

import java.util.ArrayList;
import java.util.List;

class Solution {
    record Result(List<Long> accepted_tokens, long num_accepted) {}

    private static float log(double value) {
        return (float) Math.log(value);
    }

    static Result verify_draft_sequence(
            long[] draft_tokens,
            double[][] draft_probs,
            double[][] target_probs,
            double[] random_uniforms) {
        List<Long> accepted = new ArrayList<>();
        for (int i = 0; i < draft_tokens.length; i++) {
            int x = (int) draft_tokens[i];
            float logAlpha = Math.min(0f, log(target_probs[i][x]) - log(draft_probs[i][x]));
            if (log(random_uniforms[i]) < logAlpha) {
                accepted.add(draft_tokens[i]);
                continue;
            }
            long best = 0;
            double largest = 0.0;
            for (int v = 0; v < draft_probs[i].length; v++) {
                double residual = target_probs[i][v] - draft_probs[i][v];
                if (residual > largest) {
                    largest = residual;
                    best = v;
                }
            }
            accepted.add(best);
            return new Result(accepted, i);
        }
        return new Result(accepted, accepted.size());
    }
}
