class Solution {
    static String pair_sum(long a, long b) {
        return "" + (a + b);
    }
}
