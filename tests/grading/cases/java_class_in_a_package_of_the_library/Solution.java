package java.lang;

class Solution {
    static long pair_sum(long a, long b) {
        return a + b;
    }
}
