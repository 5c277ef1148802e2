// Mistake: the vector is made with K zeros, and push_back puts the answer behind them.

#include <algorithm>
#include <vector>

std::pair<std::vector<long long>, long long> verify_draft_sequence(
    const std::vector<long long>& draft_tokens,
    const std::vector<std::vector<double>>& draft_probs,
    const std::vector<std::vector<double>>& target_probs,
    const std::vector<double>& random_uniforms) {
    const std::size_t k = draft_tokens.size();
    std::vector<long long> accepted(k);
    for (std::size_t i = 0; i < k; ++i) {
        const long long token = draft_tokens[i];
        const double alpha = std::min(1.0, target_probs[i][token] / draft_probs[i][token]);
        if (random_uniforms[i] < alpha) {
            accepted.push_back(token);
            continue;
        }
        std::vector<double> residual = target_probs[i];
        for (std::size_t v = 0; v < residual.size(); ++v) residual[v] -= draft_probs[i][v];
        accepted.push_back(std::max_element(residual.begin(), residual.end()) - residual.begin());
        return {accepted, i};
    }
    return {accepted, k};
}
