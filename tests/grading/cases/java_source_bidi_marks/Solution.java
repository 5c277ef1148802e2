// ‮ right to left ⁦ isolated ⁩ ​ and marks that are not seen ⁠
class Solution {
    static long pair_sum(long a, long b) {
        String text = "‮⁦ // ⁩⁦";
        return a + b + 0 * text.length();
    }
}
