// Holds 5 MB. Without a control group a figure below that of the process that started it cannot be
// had; of a run before this one nothing is in it.
#include <vector>

long long pair_sum(long long a, long long b) {
  std::vector<char> block(5 << 20, 1);
  return a + b + block[a & 1] - 1;
}
