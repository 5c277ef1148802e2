#include <exception>

struct Hostile : std::exception {
  const char* what() const noexcept override { return "\xff\"}, \x01 \xed\xa0\x80 end"; }
};

long long pair_sum(long long, long long) { throw Hostile(); }
