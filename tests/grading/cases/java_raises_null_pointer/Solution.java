class Solution {
    static long pair_sum(long a, long b) {
        long[] pair = a > b ? null : null;
        return pair[0];
    }
}
