class Solution {
    static long pair_sum(long a, long b) {
        while (true) {
            System.err.print("again");
        }
    }
}
