class Solution {
    static double pair_sum(long a, long b) {
        return Math.floor(a + b);
    }
}
