// Mistake: every comparison of the sort computes the sum of all residuals twice.

#include <algorithm>
#include <numeric>
#include <vector>

using Row = std::vector<double>;

static double adjusted(const Row& p, const Row& q, long long token) {
    double sum = 0.0;
    for (std::size_t w = 0; w < p.size(); ++w) sum += std::max(0.0, p[w] - q[w]);
    return std::max(0.0, p[token] - q[token]) / sum;
}

std::pair<std::vector<long long>, long long> verify_draft_sequence(
    const std::vector<long long>& draft_tokens, const std::vector<Row>& draft_probs,
    const std::vector<Row>& target_probs, const std::vector<double>& random_uniforms) {
    std::vector<long long> accepted;
    for (std::size_t i = 0; i < draft_tokens.size(); ++i) {
        const Row &p = target_probs[i], &q = draft_probs[i];
        const long long x = draft_tokens[i];
        if (random_uniforms[i] < std::min(1.0, p[x] / q[x])) {
            accepted.push_back(x);
            continue;
        }
        std::vector<long long> ranking(p.size());
        std::iota(ranking.begin(), ranking.end(), 0);
        std::stable_sort(ranking.begin(), ranking.end(), [&](long long a, long long b) {
            return adjusted(p, q, a) > adjusted(p, q, b);
        });
        accepted.push_back(ranking[0]);
        return {accepted, i};
    }
    return {accepted, accepted.size()};
}
