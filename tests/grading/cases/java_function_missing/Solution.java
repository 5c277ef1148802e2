class Solution {
    static long pairSum(long a, long b) {
        return a + b;
    }
}
