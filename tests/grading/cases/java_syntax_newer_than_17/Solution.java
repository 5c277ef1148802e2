class Solution {
    static long pair_sum(long a, long b) {
        Object x = a;
        return switch (x) {
            case Long l -> l + b;
            default -> 0;
        };
    }
}
