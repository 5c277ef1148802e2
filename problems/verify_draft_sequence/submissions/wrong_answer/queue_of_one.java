// Mistake: a queue that keeps the best one does not say which of two equal ones it gives away.

import java.util.*;

class Solution {
    record Result(long[] accepted_tokens, long num_accepted) {}

    record Gain(int token, double size) {}

    static Result verify_draft_sequence(
            long[] draft_tokens,
            double[][] draft_probs,
            double[][] target_probs,
            double[] random_uniforms) {
        for (int i = 0; i < draft_tokens.length; i++) {
            double[] p = target_probs[i], q = draft_probs[i];
            int x = (int) draft_tokens[i];
            if (random_uniforms[i] < Math.min(1.0, p[x] / q[x])) continue;

            PriorityQueue<Gain> best = new PriorityQueue<>(Comparator.comparingDouble(Gain::size));
            for (int v = 0; v < p.length; v++) {
                best.add(new Gain(v, p[v] - q[v]));
                if (best.size() > 1) best.poll();
            }
            long[] tokens = Arrays.copyOf(draft_tokens, i + 1);
            tokens[i] = best.peek().token();
            return new Result(tokens, i);
        }
        return new Result(draft_tokens, draft_tokens.length);
    }
}
