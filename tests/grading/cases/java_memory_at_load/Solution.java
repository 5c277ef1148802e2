class Solution {
    static final long[] TABLE = new long[1 << 28];

    static long pair_sum(long a, long b) {
        return a + b + TABLE[0];
    }
}
