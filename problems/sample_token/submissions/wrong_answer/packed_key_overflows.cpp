// Mistake: logit and index are packed into one int, which is too small beyond a logit of 21.

#include <bits/stdc++.h>
using namespace std;

long long sample_token(const vector<double>& logits, double temperature, long long k,
                       double random_value) {
    vector<pair<int, int>> ranking;
    for (int i = 0; i < (int)logits.size(); i++) {
        int scaled = lround(logits[i] * 100000);
        int key = scaled * 1000 + (999 - i);
        ranking.push_back({key, i});
    }
    sort(ranking.rbegin(), ranking.rend());

    vector<int> kept;
    double largest = -1e9;
    for (int j = 0; j < k; j++) {
        kept.push_back(ranking[j].second);
        largest = max(largest, logits[kept[j]]);
    }
    sort(kept.begin(), kept.end());

    double total = 0, sum = 0;
    for (int i : kept) total += exp((logits[i] - largest) / temperature);
    for (int i : kept) {
        sum += exp((logits[i] - largest) / temperature) / total;
        if (sum > random_value) return i;
    }
    return kept.back();
}
