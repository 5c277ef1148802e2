class Solution {
    static void pair_sum(long a, long b) {
        a += b;
    }
}
