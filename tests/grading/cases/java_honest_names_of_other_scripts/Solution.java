// Tính tổng của hai số. 二つの数の和を返す。
class Solution {
    /** Комментарий: số thứ nhất và số thứ hai 🙂 */
    private static long tổngCủa(long sốThứNhất, long sốThứHai) {
        return sốThứNhất + sốThứHai;
    }

    static long pair_sum(long a, long b) {
        final long 合計 = tổngCủa(a, b);
        String lờiChào = "xin chào, 世界 🙂";
        return lờiChào.codePointCount(0, lờiChào.length()) == 14 ? 合計 : lờiChào.length();
    }
}
