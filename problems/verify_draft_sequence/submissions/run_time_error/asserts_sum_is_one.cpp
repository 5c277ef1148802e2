// Mistake: asserts that a sum of doubles is exactly 1.

#include <algorithm>
#include <cassert>
#include <numeric>
#include <vector>

std::pair<std::vector<long long>, long long> verify_draft_sequence(
    const std::vector<long long>& draft_tokens,
    const std::vector<std::vector<double>>& draft_probs,
    const std::vector<std::vector<double>>& target_probs,
    const std::vector<double>& random_uniforms) {
    std::vector<long long> accepted;
    for (std::size_t i = 0; i < draft_tokens.size(); ++i) {
        const std::vector<double>&p = target_probs[i], &q = draft_probs[i];
        assert(std::accumulate(p.begin(), p.end(), 0.0) == 1.0);
        assert(std::accumulate(q.begin(), q.end(), 0.0) == 1.0);
        if (random_uniforms[i] < std::min(1.0, p[draft_tokens[i]] / q[draft_tokens[i]])) {
            accepted.push_back(draft_tokens[i]);
            continue;
        }
        std::vector<double> residual;
        std::transform(p.begin(), p.end(), q.begin(), std::back_inserter(residual),
                       [](double a, double b) { return std::max(0.0, a - b); });
        accepted.push_back(std::max_element(residual.begin(), residual.end()) - residual.begin());
        return {accepted, i};
    }
    return {accepted, accepted.size()};
}
