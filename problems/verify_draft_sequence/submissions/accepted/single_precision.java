// Single precision for every number, as a GPU kernel would have it.

class Solution {
    record Result(long[] accepted_tokens, long num_accepted) {}

    static Result verify_draft_sequence(
            long[] draft_tokens,
            double[][] draft_probs,
            double[][] target_probs,
            double[] random_uniforms) {
        int count = 0;
        long replacement = -1;
        while (count < draft_tokens.length && replacement < 0) {
            float[] draft = narrow(draft_probs[count]);
            float[] target = narrow(target_probs[count]);
            int x = (int) draft_tokens[count];
            if ((float) random_uniforms[count] < target[x] / draft[x]) {
                count++;
            } else {
                replacement = argmaxOfResidual(draft, target);
            }
        }
        long[] tokens = new long[replacement < 0 ? count : count + 1];
        System.arraycopy(draft_tokens, 0, tokens, 0, count);
        if (replacement >= 0) {
            tokens[count] = replacement;
        }
        return new Result(tokens, count);
    }

    private static float[] narrow(double[] row) {
        float[] narrowed = new float[row.length];
        for (int v = 0; v < row.length; v++) {
            narrowed[v] = (float) row[v];
        }
        return narrowed;
    }

    private static int argmaxOfResidual(float[] draft, float[] target) {
        float sum = 0f;
        float[] residual = new float[draft.length];
        for (int v = 0; v < draft.length; v++) {
            residual[v] = Math.max(0f, target[v] - draft[v]);
            sum += residual[v];
        }
        int best = 0;
        for (int v = 0; v < draft.length; v++) {
            if (residual[v] / sum > residual[best] / sum) {
                best = v;
            }
        }
        return best;
    }
}
