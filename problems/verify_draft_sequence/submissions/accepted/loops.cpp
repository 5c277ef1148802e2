// Plain loops over the arrays of the starter code, one comparison at a time.

#include <utility>
#include <vector>

std::pair<std::vector<long long>, long long> verify_draft_sequence(
    const std::vector<long long>& draft_tokens,
    const std::vector<std::vector<double>>& draft_probs,
    const std::vector<std::vector<double>>& target_probs,
    const std::vector<double>& random_uniforms) {
    const int positions = static_cast<int>(draft_tokens.size());
    const int vocabulary = static_cast<int>(draft_probs[0].size());

    std::vector<long long> tokens;
    for (int i = 0; i < positions; ++i) {
        const long long x = draft_tokens[i];
        const double p = target_probs[i][x];
        const double q = draft_probs[i][x];
        if (p >= q || random_uniforms[i] < p / q) {
            tokens.push_back(x);
            continue;
        }
        int best = 0;
        double best_gap = 0.0;
        for (int v = 0; v < vocabulary; ++v) {
            const double gap = target_probs[i][v] - draft_probs[i][v];
            if (gap > best_gap) {
                best = v;
                best_gap = gap;
            }
        }
        tokens.push_back(best);
        return {tokens, i};
    }
    return {tokens, positions};
}
