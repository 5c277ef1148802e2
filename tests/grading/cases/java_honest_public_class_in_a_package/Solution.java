package vn.edu.example.bài_tập;

public class Solution {
    private Solution() {}

    public static long pair_sum(long a, long b) {
        return a + b;
    }
}
