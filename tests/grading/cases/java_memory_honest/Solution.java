class Solution {
    static long pair_sum(long a, long b) {
        long[] table = new long[5 << 20];
        java.util.Arrays.fill(table, 1);
        return a + b + table[table.length / 2] - 1;
    }
}
