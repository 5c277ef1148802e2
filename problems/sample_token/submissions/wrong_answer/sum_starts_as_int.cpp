// Mistake: accumulate() adds up in the type of its third argument, here int.

#include <bits/stdc++.h>
using namespace std;

long long sample_token(const vector<double>& logits, double temperature, long long k,
                       double random_value) {
    vector<int> order(logits.size());
    iota(order.begin(), order.end(), 0);
    stable_sort(order.begin(), order.end(), [&](int a, int b) { return logits[a] > logits[b]; });
    double largest = logits[order[0]];
    order.resize(k);
    sort(order.begin(), order.end());

    vector<double> weights;
    for (int i : order) weights.push_back(exp((logits[i] - largest) / temperature));
    double total = accumulate(weights.begin(), weights.end(), 0);

    double sum = 0;
    for (int j = 0; j < k; j++) {
        sum += weights[j] / total;
        if (sum > random_value) return order[j];
    }
    return order.back();
}
