// Mistake: the lower end moves to the middle and not past it, so two neighbours never meet.

#include <bits/stdc++.h>
using namespace std;

long long sample_token(const vector<double>& logits, double temperature, long long k,
                       double random_value) {
    vector<pair<double, int>> ranking;
    for (size_t i = 0; i < logits.size(); i++) ranking.push_back({-logits[i], (int)i});
    sort(ranking.begin(), ranking.end());
    vector<int> kept;
    for (int j = 0; j < k; j++) kept.push_back(ranking[j].second);
    sort(kept.begin(), kept.end());

    double largest = -ranking[0].first;
    vector<double> edges;
    double total = 0;
    for (int i : kept) edges.push_back(total += exp((logits[i] - largest) / temperature));

    int low = 0, high = k - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (edges[middle] / total > random_value)
            high = middle;
        else
            low = middle;
    }
    return kept[low];
}
