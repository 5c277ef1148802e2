// ‮ right to left ⁦ isolated ⁩ ​ and marks that are not seen ⁠
long long pair_sum(long long a, long long b) {
  const char* text = "‮⁦ // ⁩⁦";
  return a + b + 0 * text[0];
}
