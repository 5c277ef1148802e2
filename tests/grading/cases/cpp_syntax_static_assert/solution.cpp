template <class T>
long long size_of() {
  static_assert(sizeof(T) == 3, "không đúng");
  return sizeof(T);
}

long long pair_sum(long long a, long long b) { return size_of<int>() + a + b; }
