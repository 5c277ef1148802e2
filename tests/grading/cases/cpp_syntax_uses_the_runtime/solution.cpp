#include <iostream>
#undef _GLIBCXX_IOSTREAM

namespace Harness7f3a {
int pair_sum;
}
using Harness7f3a::Answer;

long long pair_sum(long long a, long long b) { return a + b + Harness7f3a::kBadRequest; }
