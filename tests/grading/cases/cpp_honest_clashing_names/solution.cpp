#include <bits/stdc++.h>
using namespace std;

typedef long long ll;
static ll sum_of(const vector<ll>& items) { return accumulate(items.begin(), items.end(), 0LL); }

struct Reader {
  ll read() { return 1; }
};
struct Writer {};
struct Program {};
namespace range {}
ll fault = 0;
ll link(ll x) { return x; }
ll read(ll x) { return x; }
ll write(ll x) { return x; }
ll y1(ll x) { return x; }

ll pair_sum(ll a, ll b) { return sum_of({a, b}) + fault; }
