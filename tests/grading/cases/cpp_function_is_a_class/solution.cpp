struct pair_sum {
  int first, second;
};
