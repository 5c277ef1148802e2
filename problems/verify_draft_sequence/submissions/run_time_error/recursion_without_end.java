// Mistake: the recursion stops at an empty part, but half of a part of one token is that part.

import java.util.ArrayList;
import java.util.List;

class Solution {
    record Result(List<Integer> accepted_tokens, int num_accepted) {}

    private static int firstMaximum(double[] p, double[] q, int begin, int end) {
        if (begin == end) return begin;
        int middle = (begin + end) >>> 1;
        int left = firstMaximum(p, q, begin, middle);
        int right = firstMaximum(p, q, middle, end);
        return p[right] - q[right] > p[left] - q[left] ? right : left;
    }

    static Result verify_draft_sequence(
            long[] draft_tokens,
            double[][] draft_probs,
            double[][] target_probs,
            double[] random_uniforms) {
        List<Integer> accepted = new ArrayList<>();
        for (int i = 0; i < draft_tokens.length; i++) {
            double[] p = target_probs[i], q = draft_probs[i];
            int x = (int) draft_tokens[i];
            if (random_uniforms[i] >= Math.min(1.0, p[x] / q[x])) {
                accepted.add(firstMaximum(p, q, 0, p.length));
                return new Result(accepted, i);
            }
            accepted.add(x);
        }
        return new Result(accepted, accepted.size());
    }
}
