// Mistake: residual and token are packed into one int; their product needs a long.

import java.util.Arrays;

class Solution {
    record Result(long[] accepted_tokens, int num_accepted) {}

    static Result verify_draft_sequence(
            long[] draft_tokens,
            double[][] draft_probs,
            double[][] target_probs,
            double[] random_uniforms) {
        int vocabulary = draft_probs[0].length;
        for (int i = 0; i < draft_tokens.length; i++) {
            int x = (int) draft_tokens[i];
            if (random_uniforms[i] * draft_probs[i][x] < target_probs[i][x]) continue;

            int[] keys = new int[vocabulary];
            for (int v = 0; v < vocabulary; v++) {
                double residual = Math.max(0.0, target_probs[i][v] - draft_probs[i][v]);
                keys[v] = (int) Math.round(residual * 1e9) * vocabulary + (vocabulary - 1 - v);
            }
            int largest = Arrays.stream(keys).max().getAsInt();
            draft_tokens[i] = vocabulary - 1 - largest % vocabulary;
            return new Result(Arrays.copyOf(draft_tokens, i + 1), i);
        }
        return new Result(draft_tokens, draft_tokens.length);
    }
}
