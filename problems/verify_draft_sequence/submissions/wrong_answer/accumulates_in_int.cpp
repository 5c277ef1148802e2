// Mistake: accumulate adds up in the type of its last argument, here int, so the sum is always 0.

#include <algorithm>
#include <numeric>
#include <vector>

std::pair<std::vector<long long>, int> verify_draft_sequence(
    const std::vector<long long>& draft_tokens,
    const std::vector<std::vector<double>>& draft_probs,
    const std::vector<std::vector<double>>& target_probs,
    const std::vector<double>& random_uniforms) {
    std::vector<long long> accepted;
    for (int i = 0; i < (int)draft_tokens.size(); ++i) {
        const auto &q = draft_probs[i], &p = target_probs[i];
        const auto x = draft_tokens[i];
        if (random_uniforms[i] < std::min(1.0, p[x] / q[x])) {
            accepted.push_back(x);
            continue;
        }
        std::vector<double> adjusted;
        for (std::size_t v = 0; v < p.size(); ++v) adjusted.push_back(std::max(0.0, p[v] - q[v]));
        const double sum = std::accumulate(adjusted.begin(), adjusted.end(), 0);
        for (double& value : adjusted) value /= sum;
        accepted.push_back(std::max_element(adjusted.begin(), adjusted.end()) - adjusted.begin());
        return {accepted, i};
    }
    return {accepted, (int)accepted.size()};
}
