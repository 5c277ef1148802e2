class Solution {
    static long pair_sum(long a, long b) {
        try {
            return Long.parseLong("no number");
        } catch (NumberFormatException error) {
            error.printStackTrace();
            return a + b;
        }
    }
}
