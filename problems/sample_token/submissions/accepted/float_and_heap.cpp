// Single precision from the first step to the last; a heap of structs holds the k best tokens.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <queue>
#include <vector>

namespace {

struct Token {
    float logit;
    std::size_t index;
};

// The worst token is on top: the smallest logit, and of equal ones the largest index.
struct Better {
    bool operator()(const Token& a, const Token& b) const {
        return a.logit != b.logit ? a.logit > b.logit : a.index < b.index;
    }
};

}  // namespace

std::size_t sample_token(const std::vector<double>& logits, float temperature, std::size_t k,
                         float random_value) {
    std::priority_queue<Token, std::vector<Token>, Better> best;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        best.push({static_cast<float>(logits[i]), i});
        if (best.size() > k) best.pop();
    }

    std::map<std::size_t, float> kept;
    float peak = best.top().logit;
    for (; !best.empty(); best.pop()) {
        kept[best.top().index] = best.top().logit;
        peak = std::max(peak, best.top().logit);
    }

    float total = 0.0f;
    for (auto& [index, value] : kept) {
        value = std::exp((value - peak) / temperature);
        total += value;
    }
    float left = random_value * total;
    for (const auto& [index, weight] : kept) {
        left -= weight;
        if (left < 0.0f) return index;
    }
    return kept.rbegin()->first;
}
