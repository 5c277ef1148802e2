// Mistake: probabilities become whole ten-billionths, and a small one becomes the divisor 0.

import java.util.ArrayList;
import java.util.List;

class Solution {
    static final long UNITS = 10_000_000_000L;
    static final long ONE = 100_000_000L;

    record Result(List<Long> accepted_tokens, long num_accepted) {}

    static Result verify_draft_sequence(
            long[] draft_tokens,
            double[][] draft_probs,
            double[][] target_probs,
            double[] random_uniforms) {
        List<Long> accepted = new ArrayList<>();
        for (int i = 0; i < draft_tokens.length; i++) {
            int x = (int) draft_tokens[i];
            long p = Math.round(target_probs[i][x] * UNITS);
            long q = Math.round(draft_probs[i][x] * UNITS);
            if (random_uniforms[i] * ONE < Math.min(ONE, p * ONE / q)) {
                accepted.add(draft_tokens[i]);
                continue;
            }
            int best = 0;
            for (int v = 1; v < draft_probs[i].length; v++) {
                double gain = target_probs[i][v] - draft_probs[i][v];
                if (gain > target_probs[i][best] - draft_probs[i][best]) best = v;
            }
            accepted.add((long) best);
            return new Result(accepted, i);
        }
        return new Result(accepted, accepted.size());
    }
}
