class Solution {
    static double pair_sum(double a, double b) {
        return a - b;
    }

    static <T extends Number> long pair_sum(T a, T b) {
        return a.longValue() - b.longValue();
    }

    static <T> long pair_sum(long a, long b) {
        return a + b;
    }

    static long pair_sum(long... all) {
        return all.length;
    }
}
