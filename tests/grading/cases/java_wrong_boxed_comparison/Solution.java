class Solution {
    static long pair_sum(long a, long b) {
        Long first = a;
        Long again = first + 0;
        return first == again ? a + b : b;
    }
}
