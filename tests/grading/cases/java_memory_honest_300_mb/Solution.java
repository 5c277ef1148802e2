// Holds 300 MB of a heap of 512; the machine's own memory comes on top.
class Solution {
    static long pair_sum(long a, long b) {
        byte[][] kept = new byte[300][];
        for (int index = 0; index < kept.length; index++) {
            kept[index] = new byte[1 << 20];
            java.util.Arrays.fill(kept[index], (byte) 1);
        }
        return a + b + kept[299][0] - 1;
    }
}
