class Solution {
    static long pair_sum(long a, long b) {
        System.exit(3);
        return a + b;
    }
}
