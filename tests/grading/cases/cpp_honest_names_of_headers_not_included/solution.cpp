#include <vector>
using namespace std;

long long count = 0;
struct thread {
  long long find;
};
int gcd = 0, lcm = 0, left = 0, sort = 0, accumulate = 0, mutex = 0;

long long pair_sum(long long a, long long b) {
  vector<long long> items = {a, b};
  for (long long item : items) count += thread{item}.find;
  return count + gcd + lcm + left + sort + accumulate + mutex;
}
