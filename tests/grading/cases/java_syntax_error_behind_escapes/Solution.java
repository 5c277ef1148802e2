class Solution { // \u000a static long pair_sum(long \u0061, long b) { return a + b; }
    long x = y;
}
