// Mistake: comparingInt needs whole numbers, so the residuals are cut to thousandths.

import java.util.Comparator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

class Solution {
    record Result(long[] accepted_tokens, long num_accepted) {}

    static Result verify_draft_sequence(
            long[] draft_tokens,
            double[][] draft_probs,
            double[][] target_probs,
            double[] random_uniforms) {
        int count = 0;
        while (count < draft_tokens.length) {
            int x = (int) draft_tokens[count];
            if (random_uniforms[count] >= target_probs[count][x] / draft_probs[count][x]) break;
            count++;
        }
        LongStream accepted = LongStream.of(draft_tokens).limit(count);
        if (count < draft_tokens.length) {
            double[] q = draft_probs[count], p = target_probs[count];
            int replacement = IntStream.range(0, p.length)
                    .boxed()
                    .sorted(Comparator.comparingInt(v -> -(int) (1000 * (p[v] - q[v]))))
                    .findFirst()
                    .get();
            accepted = LongStream.concat(accepted, LongStream.of(replacement));
        }
        return new Result(accepted.toArray(), count);
    }
}
