// Mistake: counts where the output agrees with the draft, but == asks whether two Integers are the
// same object; beyond 127 equal ones usually are not.

import java.util.*;

class Solution {
    record Result(List<Integer> accepted_tokens, int num_accepted) {}

    static Result verify_draft_sequence(
            long[] draft_tokens,
            double[][] draft_probs,
            double[][] target_probs,
            double[] random_uniforms) {
        List<Integer> drafted =
                Arrays.stream(draft_tokens).mapToObj(token -> (int) token).toList();
        List<Integer> verified = new ArrayList<>();
        for (int i = 0; i < draft_tokens.length; i++) {
            double[] p = target_probs[i], q = draft_probs[i];
            int x = (int) draft_tokens[i];
            if (random_uniforms[i] >= Math.min(1.0, p[x] / q[x])) {
                int best = 0;
                for (int v = 1; v < p.length; v++) {
                    if (p[v] - q[v] > p[best] - q[best]) best = v;
                }
                verified.add(best);
                break;
            }
            verified.add(x);
        }
        int count = 0;
        for (int i = 0; i < verified.size(); i++) {
            if (verified.get(i) == drafted.get(i)) count++;
        }
        return new Result(verified, count);
    }
}
