// Mistake: only positive gains are written; the other places of the array keep what was there.

#include <algorithm>
#include <vector>

static int token_with_largest_gain(const std::vector<double>& p, const std::vector<double>& q) {
    double gains[50257];
    for (std::size_t v = 0; v < p.size(); ++v) {
        if (p[v] > q[v]) gains[v] = p[v] - q[v];
    }
    return std::max_element(gains, gains + p.size()) - gains;
}

std::pair<std::vector<int>, int> verify_draft_sequence(
    const std::vector<long long>& draft_tokens,
    const std::vector<std::vector<double>>& draft_probs,
    const std::vector<std::vector<double>>& target_probs,
    const std::vector<double>& random_uniforms) {
    std::vector<int> accepted;
    for (std::size_t i = 0; i < draft_tokens.size(); ++i) {
        const int token = draft_tokens[i];
        const int replacement = token_with_largest_gain(target_probs[i], draft_probs[i]);
        if (random_uniforms[i] >= target_probs[i][token] / draft_probs[i][token]) {
            accepted.push_back(replacement);
            return {accepted, i};
        }
        accepted.push_back(token);
    }
    return {accepted, accepted.size()};
}
