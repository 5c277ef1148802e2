// The standard library does the work: iota, stable_sort, partial_sum, upper_bound.

#include <bits/stdc++.h>
using namespace std;

using ll = long long;

ll sample_token(vector<double> logits, double temperature, int k, double random_value) {
    vector<int> order(logits.size());
    iota(order.begin(), order.end(), 0);
    stable_sort(order.begin(), order.end(), [&](int a, int b) { return logits[a] > logits[b]; });
    const double peak = logits[order.front()];
    order.resize(k);
    sort(order.begin(), order.end());

    vector<double> edges(k);
    transform(order.begin(), order.end(), edges.begin(),
              [&](int i) { return exp((logits[i] - peak) / temperature); });
    partial_sum(edges.begin(), edges.end(), edges.begin());
    const double total = edges.back();
    for (double& edge : edges) edge /= total;

    auto owner = upper_bound(edges.begin(), edges.end(), random_value);
    if (owner == edges.end()) --owner;
    return order[owner - edges.begin()];
}
