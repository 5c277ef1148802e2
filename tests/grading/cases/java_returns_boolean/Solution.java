class Solution {
    static boolean pair_sum(long a, long b) {
        return a > b;
    }
}
