class Solution {
    static long pair_sum(long... all) {
        return all[0];
    }
}
