abstract class Solution {
    abstract long pair_sum(long a, long b);
}
