// Mistake: the recursion stops at an empty part, but half of a part of one token is that part.

#include <algorithm>
#include <vector>

using Row = std::vector<double>;

static long long first_maximum(const Row& values, long long begin, long long end) {
    if (begin == end) return begin;
    const long long middle = begin + (end - begin) / 2;
    const long long left = first_maximum(values, begin, middle);
    const long long right = first_maximum(values, middle, end);
    return values[right] > values[left] ? right : left;
}

std::pair<std::vector<long long>, long long> verify_draft_sequence(
    const std::vector<long long>& draft_tokens, const std::vector<Row>& draft_probs,
    const std::vector<Row>& target_probs, const std::vector<double>& random_uniforms) {
    std::vector<long long> accepted;
    for (std::size_t i = 0; i < draft_tokens.size(); ++i) {
        const long long x = draft_tokens[i];
        if (random_uniforms[i] < std::min(1.0, target_probs[i][x] / draft_probs[i][x])) {
            accepted.push_back(x);
            continue;
        }
        Row residual(draft_probs[i].size());
        for (std::size_t v = 0; v < residual.size(); ++v)
            residual[v] = std::max(0.0, target_probs[i][v] - draft_probs[i][v]);
        accepted.push_back(first_maximum(residual, 0, residual.size()));
        return {accepted, i};
    }
    return {accepted, accepted.size()};
}
