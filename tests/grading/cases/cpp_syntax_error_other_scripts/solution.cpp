// Tính tổng. 二つの数の和を返す。
long long pair_sum(long long số_a, long long số_b) {
  long long 合計 = số_a + không_có;
  return 合計;
}
