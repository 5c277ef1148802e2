// Tính tổng. 二つの数の和を返す。
class Solution {
    static long pair_sum(long a, long b) {
        long 合計 = a + không_có; /* 🙂 */ return 合計 + b + thiếu;
    }
}
