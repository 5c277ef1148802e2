// Mistake: logarithms in single precision; near -70 a float is no finer than 0.000007.

#include <cmath>
#include <vector>

using std::vector;

std::pair<vector<long long>, long long> verify_draft_sequence(
    const vector<long long>& draft_tokens, const vector<vector<double>>& draft_probs,
    const vector<vector<double>>& target_probs, const vector<double>& random_uniforms) {
    vector<long long> accepted;
    for (size_t i = 0; i < draft_tokens.size(); ++i) {
        const long long x = draft_tokens[i];
        const float log_p = std::log(target_probs[i][x]);
        const float log_q = std::log(draft_probs[i][x]);
        const float log_r = std::log(random_uniforms[i]);
        if (log_r < std::fmin(0.0f, log_p - log_q)) {
            accepted.push_back(x);
            continue;
        }
        long long best = 0;
        double largest = 0.0;
        for (size_t v = 0; v < draft_probs[i].size(); ++v) {
            const double residual = target_probs[i][v] - draft_probs[i][v];
            if (residual > largest) {
                largest = residual;
                best = v;
            }
        }
        accepted.push_back(best);
        return {accepted, i};
    }
    return {accepted, accepted.size()};
}
