package decodejudge;

import java.util.List;

/** Compiles typical sources, so that a learner's does not meet a cold compiler. */
final class WarmUp {
    /** More rounds make a compilation little faster and the start much slower. */
    private static final int ROUNDS = 3;

    private WarmUp() {}

    static void run(MemoryFiles files) {
        Wanted.Part items = new Wanted.Part(Shape.parse("list[float]"), "double[]");
        Wanted.Part returns = new Wanted.Part(Shape.parse("list[int]"), "long[]");
        String declaration = "static long[] solve(double[] items)";
        Wanted wanted = new Wanted("solve", declaration, returns, List.of(items));
        for (int round = 0; round < ROUNDS; round++) {
            for (String source : SOURCES) {
                new Compilation(wanted, source, files).reply();
            }
        }
    }

    private static final List<String> SOURCES = List.of(
            """
            import java.util.*;
            import java.util.stream.*;

            public class Solution {
                record Item(double weight, int index) {}

                static long[] solve(double[] items) {
                    List<Item> order = new ArrayList<>();
                    for (int i = 0; i < items.length; i++) {
                        order.add(new Item(items[i], i));
                    }
                    order.sort(Comparator.comparingDouble(Item::weight).reversed());
                    Map<Integer, Double> sums = new HashMap<>();
                    for (Item item : order) {
                        sums.merge(item.index() % 3, item.weight(), Double::sum);
                    }
                    String text = "sums " + sums + " of " + items.length;
                    System.out.println(text);
                    return order.stream().mapToLong(item -> item.index()).toArray();
                }
            }
            """,
            """
            import java.util.Arrays;

            class Solution {
                static long[] solve(double[] items) {
                    Integer[] order = new Integer[items.length];
                    Arrays.setAll(order, i -> i);
                    Arrays.sort(order, (a, b) -> Double.compare(items[b], items[a]));
                    double best = Double.NEGATIVE_INFINITY;
                    for (double item : items) {
                        best = Math.max(best, Math.exp(item) / 2);
                    }
                    if (best < 0) {
                        throw new IllegalArgumentException("negative: " + best);
                    }
                    long[] result = new long[order.length];
                    for (int i = 0; i < result.length; i++) {
                        result[i] = order[i];
                    }
                    return result;
                }
            }
            """,
            """
            class Solution {
                static long[] solve(double[] items) {
                    int count = items.length;
                    return missing(count, 1.5);
                }
            }
            """);
}
