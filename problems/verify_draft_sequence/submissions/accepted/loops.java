// A static method with plain loops and one array that is cut to its length at the end.

import java.util.Arrays;

class Solution {
    record Result(long[] accepted_tokens, long num_accepted) {}

    static Result verify_draft_sequence(
            long[] draft_tokens,
            double[][] draft_probs,
            double[][] target_probs,
            double[] random_uniforms) {
        int positions = draft_tokens.length;
        long[] tokens = new long[positions];
        for (int i = 0; i < positions; i++) {
            int x = (int) draft_tokens[i];
            double acceptance = Math.min(1.0, target_probs[i][x] / draft_probs[i][x]);
            if (random_uniforms[i] < acceptance) {
                tokens[i] = x;
            } else {
                tokens[i] = replacement(target_probs[i], draft_probs[i]);
                return new Result(Arrays.copyOf(tokens, i + 1), i);
            }
        }
        return new Result(tokens, positions);
    }

    private static int replacement(double[] target, double[] draft) {
        int best = 0;
        for (int v = 1; v < target.length; v++) {
            if (target[v] - draft[v] > target[best] - draft[best]) {
                best = v;
            }
        }
        return best;
    }
}
