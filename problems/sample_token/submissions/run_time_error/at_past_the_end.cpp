// Mistake: upper_bound may return the end, and at() has nothing there.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

long long sample_token(std::vector<double> logits, double temperature, long long k,
                       double random_value) {
    std::vector<long long> kept(logits.size());
    std::iota(kept.begin(), kept.end(), 0);
    std::partial_sort(kept.begin(), kept.begin() + k, kept.end(), [&](auto a, auto b) {
        return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
    });
    const double peak = logits[kept[0]];
    kept.resize(k);
    std::sort(kept.begin(), kept.end());

    std::vector<double> edges;
    for (auto i : kept) edges.push_back(std::exp((logits[i] - peak) / temperature));
    const double total = std::accumulate(edges.begin(), edges.end(), 0.0);
    double sum = 0.0;
    for (double& edge : edges) edge = sum += edge / total;
    return kept.at(std::upper_bound(edges.begin(), edges.end(), random_value) - edges.begin());
}
