class Solution {
    static long pair_sum(long a, long b) {
        System.out.print("x".repeat(10_000_000));
        return a + b;
    }
}
