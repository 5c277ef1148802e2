class Solution {
    static long pair_sum(long a, long b) {
        long sum = a + b
        return sum;
    }
}
