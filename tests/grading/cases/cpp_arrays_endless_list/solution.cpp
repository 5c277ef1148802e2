#include <tuple>
#include <vector>

struct Endless {
  struct Step {
    long long operator*() const { return 1; }
    Step& operator++() { return *this; }
    bool operator!=(const Step&) const { return true; }
  };
  Step begin() const { return {}; }
  Step end() const { return {}; }
};

std::tuple<std::vector<std::vector<double>>, double, Endless> scale_rows(
    const std::vector<std::vector<double>>& rows, double factor) {
  return {rows, factor, Endless()};
}
