// Mistake: takes a rejected token back with remove(int), which removes at an index.

import java.util.ArrayList;
import java.util.List;

class Solution {
    record Result(List<Integer> accepted_tokens, int num_accepted) {}

    static Result verify_draft_sequence(
            long[] draft_tokens,
            double[][] draft_probs,
            double[][] target_probs,
            double[] random_uniforms) {
        List<Integer> accepted = new ArrayList<>();
        for (int i = 0; i < draft_tokens.length; i++) {
            int token = (int) draft_tokens[i];
            accepted.add(token);
            double alpha = target_probs[i][token] / draft_probs[i][token];
            if (random_uniforms[i] < alpha) continue;

            accepted.remove(token);
            int best = 0;
            double largest = 0.0;
            for (int v = 0; v < target_probs[i].length; v++) {
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
