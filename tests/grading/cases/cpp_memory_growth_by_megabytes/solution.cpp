// The reported peak is within 5 % of the limit of 512 MB.
#include <memory>
#include <vector>

long long pair_sum(long long a, long long) {
  std::vector<std::unique_ptr<std::vector<char>>> keep;
  for (;;) keep.push_back(std::make_unique<std::vector<char>>(1 << 20, char(a)));
}
