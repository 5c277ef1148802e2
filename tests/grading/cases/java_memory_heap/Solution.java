class Solution {
    static long pair_sum(long a, long b) {
        long[] table = new long[1 << 28];
        return a + b + table[0];
    }
}
