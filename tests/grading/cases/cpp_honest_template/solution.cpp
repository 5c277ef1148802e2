template <class First, class... Others>
auto pair_sum(First first, Others... others) {
  return (first + ... + others);
}
