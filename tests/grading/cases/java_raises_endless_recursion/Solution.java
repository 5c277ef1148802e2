class Solution {
    private static long deeper(long depth) {
        return deeper(depth + 1) + 1;
    }

    static long pair_sum(long a, long b) {
        return deeper(a) + b;
    }
}
