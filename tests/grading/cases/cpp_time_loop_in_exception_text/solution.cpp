// Loops where the text of an exception is asked for.
#include <exception>

struct Endless : std::exception {
  const char* what() const noexcept override {
    for (volatile int i = 0;; i = i + 1) {
    }
  }
};

long long pair_sum(long long, long long) { throw Endless(); }
