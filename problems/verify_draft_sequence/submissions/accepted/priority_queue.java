package decoding;

import java.util.*;

/** An object with state: an instance method fills a list, and a queue hands out the replacement. */
public class Solution {
    private final List<Integer> accepted = new ArrayList<>();

    record Result(Integer[] accepted_tokens, Integer num_accepted) {}

    public Result verify_draft_sequence(
            long[] draft_tokens,
            double[][] draft_probs,
            double[][] target_probs,
            double[] random_uniforms) {
        int position = 0;
        for (long drafted : draft_tokens) {
            int token = (int) drafted;
            double[] draft = draft_probs[position], target = target_probs[position];
            if (!(random_uniforms[position] * draft[token] < target[token])) {
                accepted.add(replacement(draft, target));
                break;
            }
            accepted.add(token);
            position++;
        }
        return new Result(accepted.toArray(new Integer[0]), position);
    }

    private Integer replacement(double[] draft, double[] target) {
        Queue<Integer> queue = new PriorityQueue<>((a, b) -> {
            int order = Double.compare(target[b] - draft[b], target[a] - draft[a]);
            return order != 0 ? order : Integer.compare(a, b);
        });
        for (int token = 0; token < draft.length; token++) {
            queue.add(token);
        }
        return queue.poll();
    }
}
