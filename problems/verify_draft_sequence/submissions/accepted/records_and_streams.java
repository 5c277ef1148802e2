// Records for positions and tokens, streams for the search and for the maximum.

import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

public class Solution {
    record Position(int token, double[] draft, double[] target, double mark) {
        boolean isRejected() {
            return mark >= Math.min(1.0, target[token] / draft[token]);
        }

        long replacement() {
            return IntStream.range(0, draft.length)
                    .mapToObj(v -> new Gain(v, Math.max(0.0, target[v] - draft[v])))
                    .min(Comparator.comparingDouble(Gain::size).reversed()
                            .thenComparingInt(Gain::token))
                    .orElseThrow()
                    .token();
        }
    }

    record Gain(int token, double size) {}

    record Verified(List<Long> tokens, int count) {}

    public static Verified verify_draft_sequence(
            long[] draft_tokens,
            double[][] draft_probs,
            double[][] target_probs,
            double[] random_uniforms) {
        var positions = IntStream.range(0, draft_tokens.length)
                .mapToObj(i -> new Position(
                        (int) draft_tokens[i], draft_probs[i], target_probs[i], random_uniforms[i]))
                .toList();
        OptionalInt rejected = IntStream.range(0, positions.size())
                .filter(i -> positions.get(i).isRejected())
                .findFirst();
        int count = rejected.orElse(positions.size());
        LongStream kept = LongStream.of(draft_tokens).limit(count);
        LongStream last = rejected.stream().mapToLong(i -> positions.get(i).replacement());
        return new Verified(LongStream.concat(kept, last).boxed().toList(), count);
    }
}
