// Mistake: the loop over a row of the flat array goes one too far (<= instead of <).

#include <algorithm>
#include <vector>

std::pair<std::vector<long long>, long long> verify_draft_sequence(
    const std::vector<long long>& draft_tokens,
    const std::vector<std::vector<double>>& draft_probs,
    const std::vector<std::vector<double>>& target_probs,
    const std::vector<double>& random_uniforms) {
    const long long rows = draft_tokens.size(), columns = draft_probs[0].size();
    std::vector<double> residual(rows * columns);
    for (long long i = 0; i < rows; ++i)
        for (long long v = 0; v < columns; ++v)
            residual[i * columns + v] = std::max(0.0, target_probs[i][v] - draft_probs[i][v]);

    std::vector<long long> accepted;
    for (long long i = 0; i < rows; ++i) {
        const long long x = draft_tokens[i];
        if (random_uniforms[i] < std::min(1.0, target_probs[i][x] / draft_probs[i][x])) {
            accepted.push_back(x);
            continue;
        }
        long long best = 0;
        for (long long v = 0; v <= columns; ++v)
            if (residual[i * columns + v] > residual[i * columns + best]) best = v;
        accepted.push_back(best);
        return {accepted, i};
    }
    return {accepted, rows};
}
