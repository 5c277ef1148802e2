// Mistake: the pointers to the rejected rows stay null when every token was accepted.

#include <algorithm>
#include <vector>

std::pair<std::vector<long long>, int> verify_draft_sequence(
    const std::vector<long long>& draft_tokens,
    const std::vector<std::vector<double>>& draft_probs,
    const std::vector<std::vector<double>>& target_probs,
    const std::vector<double>& random_uniforms) {
    std::vector<long long> accepted;
    const std::vector<double>* draft = nullptr;
    const std::vector<double>* target = nullptr;
    for (std::size_t i = 0; i < draft_tokens.size(); ++i) {
        const long long token = draft_tokens[i];
        if (random_uniforms[i] >= std::min(1.0, target_probs[i][token] / draft_probs[i][token])) {
            draft = &draft_probs[i];
            target = &target_probs[i];
            break;
        }
        accepted.push_back(token);
    }
    const int count = accepted.size();
    std::vector<double> residual(*target);
    for (std::size_t v = 0; v < residual.size(); ++v) residual[v] -= (*draft)[v];
    accepted.push_back(std::max_element(residual.begin(), residual.end()) - residual.begin());
    return {accepted, count};
}
