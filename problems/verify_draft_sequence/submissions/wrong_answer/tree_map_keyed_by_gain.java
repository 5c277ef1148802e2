// Mistake: of several tokens with one gain, the map keeps only the one that was put last.

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

public class Solution {
    record Result(List<Long> accepted_tokens, long num_accepted) {}

    public Result verify_draft_sequence(
            long[] draft_tokens,
            double[][] draft_probs,
            double[][] target_probs,
            double[] random_uniforms) {
        List<Long> accepted = new ArrayList<>();
        for (int i = 0; i < draft_tokens.length; i++) {
            int x = (int) draft_tokens[i];
            if (random_uniforms[i] < Math.min(1.0, target_probs[i][x] / draft_probs[i][x])) {
                accepted.add(draft_tokens[i]);
                continue;
            }
            TreeMap<Double, Long> tokenByGain = new TreeMap<>();
            for (int v = 0; v < draft_probs[i].length; v++) {
                tokenByGain.put(Math.max(0.0, target_probs[i][v] - draft_probs[i][v]), (long) v);
            }
            accepted.add(tokenByGain.lastEntry().getValue());
            return new Result(accepted, i);
        }
        return new Result(accepted, accepted.size());
    }
}
