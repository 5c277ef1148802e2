#include <stdexcept>

namespace errors {
struct TooLarge : std::runtime_error {
  using std::runtime_error::runtime_error;
};
}  // namespace errors

long long pair_sum(long long, long long) { throw errors::TooLarge("số quá lớn \"大\""); }
