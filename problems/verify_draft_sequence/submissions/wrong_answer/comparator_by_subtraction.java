// Mistake: the comparator returns a difference of probabilities, which is cut to the int 0.

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
            double[] p = target_probs[i], q = draft_probs[i];
            int x = (int) draft_tokens[i];
            if (random_uniforms[i] < Math.min(1.0, p[x] / q[x])) {
                accepted.add(x);
                continue;
            }
            List<Integer> ranking = new ArrayList<>();
            for (int v = 0; v < p.length; v++) ranking.add(v);
            ranking.sort((a, b) -> (int) ((p[b] - q[b]) - (p[a] - q[a])));
            accepted.add(ranking.get(0));
            return new Result(accepted, i);
        }
        return new Result(accepted, accepted.size());
    }
}
