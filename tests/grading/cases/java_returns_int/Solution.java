class Solution {
    static int pair_sum(long a, long b) {
        return (int) a + (int) b;
    }
}
