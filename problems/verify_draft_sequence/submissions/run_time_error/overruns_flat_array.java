// Mistake: the loop over a row of the flat array goes one too far (<= instead of <).

import java.util.Arrays;

class Solution {
    record Result(long[] accepted_tokens, long num_accepted) {}

    static Result verify_draft_sequence(
            long[] draft_tokens,
            double[][] draft_probs,
            double[][] target_probs,
            double[] random_uniforms) {
        int rows = draft_tokens.length, columns = draft_probs[0].length;
        double[] residual = new double[rows * columns];
        for (int i = 0; i < rows; i++) {
            for (int v = 0; v < columns; v++) {
                residual[i * columns + v] = Math.max(0.0, target_probs[i][v] - draft_probs[i][v]);
            }
        }
        for (int i = 0; i < rows; i++) {
            int x = (int) draft_tokens[i];
            if (random_uniforms[i] < target_probs[i][x] / draft_probs[i][x]) continue;
            int best = 0;
            for (int v = 0; v <= columns; v++) {
                if (residual[i * columns + v] > residual[i * columns + best]) best = v;
            }
            long[] tokens = Arrays.copyOf(draft_tokens, i + 1);
            tokens[i] = best;
            return new Result(tokens, i);
        }
        return new Result(draft_tokens, rows);
    }
}
