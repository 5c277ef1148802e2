// Mistake: clone() of a two-dimensional array copies no rows, so the target is overwritten.

import java.util.ArrayList;
import java.util.List;

class Solution {
    record Result(List<Integer> accepted_tokens, int num_accepted) {}

    static Result verify_draft_sequence(
            long[] draft_tokens,
            double[][] draft_probs,
            double[][] target_probs,
            double[] random_uniforms) {
        double[][] residual = target_probs.clone();
        for (int i = 0; i < residual.length; i++) {
            for (int v = 0; v < residual[i].length; v++) {
                residual[i][v] = Math.max(0.0, residual[i][v] - draft_probs[i][v]);
            }
        }
        List<Integer> accepted = new ArrayList<>();
        for (int i = 0; i < draft_tokens.length; i++) {
            int x = (int) draft_tokens[i];
            if (random_uniforms[i] < Math.min(1.0, target_probs[i][x] / draft_probs[i][x])) {
                accepted.add(x);
                continue;
            }
            int best = 0;
            for (int v = 0; v < residual[i].length; v++) {
                if (residual[i][v] > residual[i][best]) best = v;
            }
            accepted.add(best);
            return new Result(accepted, i);
        }
        return new Result(accepted, accepted.size());
    }
}
