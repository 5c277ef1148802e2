// Tính tổng của hai số. 二つの数の和を返す。
/* Комментарий: số thứ nhất và số thứ hai 🙂 */
static long long tổng_của(long long số_thứ_nhất, long long số_thứ_hai) {
  return số_thứ_nhất + số_thứ_hai;
}

long long pair_sum(long long a, long long b) {
  const long long 合計 = tổng_của(a, b);
  const char* lời_chào = u8"xin chào, 世界 🙂";
  return lời_chào[0] == 'x' ? 合計 : 0;
}
