// Mistake: a tiny penalty for the index makes the keys of the map distinct, but a float is too
// coarse for it: equal logits get equal keys, and all but one of them are lost.

#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <vector>

long long sample_token(const std::vector<double>& logits, double temperature, long long k,
                       double random_value) {
    std::map<float, int, std::greater<float>> ranking;
    for (std::size_t i = 0; i < logits.size(); ++i) ranking.emplace(logits[i] - 1e-9 * i, i);

    std::set<int> kept;
    for (const auto& [key, index] : ranking) {
        if (static_cast<long long>(kept.size()) == k) break;
        kept.insert(index);
    }

    const double peak = logits[ranking.begin()->second];
    double total = 0.0;
    for (int index : kept) total += std::exp((logits[index] - peak) / temperature);
    double running_sum = 0.0;
    for (int index : kept) {
        running_sum += std::exp((logits[index] - peak) / temperature) / total;
        if (running_sum > random_value) return index;
    }
    return *kept.rbegin();
}
