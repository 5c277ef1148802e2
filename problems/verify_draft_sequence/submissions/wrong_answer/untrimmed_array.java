// Mistake: the array has K places even when the answer is shorter; the rest stays 0.

class Solution {
    record Result(long[] accepted_tokens, long num_accepted) {}

    static Result verify_draft_sequence(
            long[] draft_tokens,
            double[][] draft_probs,
            double[][] target_probs,
            double[] random_uniforms) {
        long[] accepted = new long[draft_tokens.length];
        int count = 0;
        for (long token : draft_tokens) {
            double[] q = draft_probs[count];
            double[] p = target_probs[count];
            if (random_uniforms[count] < Math.min(1.0, p[(int) token] / q[(int) token])) {
                accepted[count++] = token;
                continue;
            }
            double largest = 0.0;
            for (int v = 0; v < p.length; v++) {
                if (p[v] - q[v] > largest) {
                    largest = p[v] - q[v];
                    accepted[count] = v;
                }
            }
            break;
        }
        return new Result(accepted, count);
    }
}
