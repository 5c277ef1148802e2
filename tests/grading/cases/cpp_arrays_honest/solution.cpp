#include <algorithm>
#include <deque>
#include <numeric>
#include <tuple>
#include <vector>

auto scale_rows(std::vector<std::vector<double>> rows, double factor) {
  double total = 0;
  std::deque<unsigned> order(rows.size());
  std::iota(order.begin(), order.end(), 0u);
  for (auto& row : rows) {
    for (double& item : row) total += item *= factor;
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](unsigned i, unsigned k) { return rows[i][0] < rows[k][0]; });
  return std::make_tuple(rows, total, order);
}
