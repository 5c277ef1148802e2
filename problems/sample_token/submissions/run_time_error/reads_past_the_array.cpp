// Mistake: nothing stops the walk at the last kept token when no edge is above the mark.

#include <bits/stdc++.h>
using namespace std;

double edges[1000];

long long sample_token(vector<double> logits, double temperature, long long k,
                       double random_value) {
    vector<int> kept(logits.size());
    iota(kept.begin(), kept.end(), 0);
    stable_sort(kept.begin(), kept.end(), [&](int a, int b) { return logits[a] > logits[b]; });
    double top = logits[kept[0]], total = 0;
    kept.resize(k);
    sort(kept.begin(), kept.end());
    for (int i : kept) total += exp((logits[i] - top) / temperature);
    double sum = 0;
    for (int j = 0; j < k; j++) {
        sum += exp((logits[kept[j]] - top) / temperature) / total;
        edges[j] = sum;
    }
    int j = 0;
    while (edges[j] <= random_value) j++;
    return kept[j];
}
