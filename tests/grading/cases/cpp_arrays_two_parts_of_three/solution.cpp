#include <utility>
#include <vector>

std::pair<std::vector<std::vector<double>>, double> scale_rows(
    const std::vector<std::vector<double>>& rows, double factor) {
  return {rows, factor};
}
