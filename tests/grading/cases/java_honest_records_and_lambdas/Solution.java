import java.util.List;
import java.util.function.LongBinaryOperator;
import java.util.stream.Collectors;

class Solution {
    record Pair(long first, long second) {
        Pair {
            if (first > second) {
                long kept = first;
                first = second;
                second = kept;
            }
        }
    }

    sealed interface Shape permits Point, Line {}

    record Point(long x) implements Shape {}

    record Line(Point from, Point to) implements Shape {}

    enum Kind {
        SUM {
            @Override
            long apply(LongBinaryOperator operator, Pair pair) {
                return operator.applyAsLong(pair.first(), pair.second());
            }
        };

        abstract long apply(LongBinaryOperator operator, Pair pair);
    }

    class Inner {
        long zero() {
            return new Object() {
                long nothing() {
                    return 0;
                }
            }.nothing();
        }
    }

    static long pair_sum(long a, long b) {
        var items = List.of(1, 2, 3).stream().collect(Collectors.groupingBy(i -> i % 2));
        String text = switch (items.size()) {
            case 2 -> """
                two
                  lines\
                """;
            default -> throw new IllegalStateException();
        };
        Shape shape = new Line(new Point(a), new Point(b));
        long extra = shape instanceof Line line && line.from().x() == a ? 0 : text.length();
        return Kind.SUM.apply(Long::sum, new Pair(a, b)) + extra + new Solution().new Inner().zero();
    }
}
