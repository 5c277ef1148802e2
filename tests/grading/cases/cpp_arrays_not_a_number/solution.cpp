#include <cmath>
#include <tuple>
#include <vector>

std::tuple<std::vector<std::vector<double>>, double, std::vector<long long>> scale_rows(
    std::vector<std::vector<double>> rows, double factor) {
  for (auto& row : rows) {
    for (double& item : row) item *= factor;
  }
  return {rows, std::nan(""), {0, 1}};
}
