class Solution {
    static long pair_sum(long a, long b, long c) {
        return a + b + c;
    }
}
