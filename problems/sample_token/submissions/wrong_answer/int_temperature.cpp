// Mistake: the parameter is an int, so the caller's 0.7 silently becomes 0.

#include <algorithm>
#include <cmath>
#include <vector>

int sample_token(std::vector<double> logits, int temperature, int k, double random_value) {
    std::vector<std::pair<double, int>> ranking;
    for (int i = 0; i < (int)logits.size(); ++i) ranking.emplace_back(-logits[i], i);
    std::sort(ranking.begin(), ranking.end());

    std::vector<int> kept;
    for (int j = 0; j < k; ++j) kept.push_back(ranking[j].second);
    std::sort(kept.begin(), kept.end());

    double peak = -ranking[0].first;
    double total = 0;
    for (int i : kept) total += std::exp((logits[i] - peak) / temperature);
    double sum = 0;
    for (int i : kept) {
        sum += std::exp((logits[i] - peak) / temperature) / total;
        if (sum > random_value) return i;
    }
    return kept.back();
}
