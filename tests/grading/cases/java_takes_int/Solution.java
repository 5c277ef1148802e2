class Solution {
    static long pair_sum(int a, int b) {
        return a + b;
    }
}
