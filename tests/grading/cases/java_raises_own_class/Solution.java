class Solution {
    static class QuáLớn extends Exception {
        QuáLớn(String text) {
            super(text);
        }
    }

    static long pair_sum(long a, long b) throws QuáLớn {
        throw new QuáLớn("số quá lớn \"大\" \ud83d\ude42 \ud800");
    }
}
