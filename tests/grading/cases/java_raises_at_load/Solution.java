class Solution {
    static final long OFFSET = Long.parseLong("no number");

    static long pair_sum(long a, long b) {
        return a + b + OFFSET;
    }
}
