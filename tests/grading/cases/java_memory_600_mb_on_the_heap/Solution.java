class Solution {
    static long pair_sum(long a, long b) {
        byte[][] kept = new byte[600][];
        for (int index = 0; index < kept.length; index++) {
            kept[index] = new byte[1 << 20];
        }
        return a + b + kept[599][0];
    }
}
