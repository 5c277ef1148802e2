class Solution {
    // C:\users\unicorn
    static long pair_sum(long a, long b) { return a + b; }
}
