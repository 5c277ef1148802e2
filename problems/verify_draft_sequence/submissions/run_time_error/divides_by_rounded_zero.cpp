// Mistake: probabilities become whole ten-billionths, and a small one becomes the divisor 0.

#include <bits/stdc++.h>
using namespace std;

const long long UNITS = 10'000'000'000, ONE = 100'000'000;

long long units(double probability) { return llround(probability * UNITS); }

pair<vector<long long>, long long> verify_draft_sequence(
    const vector<long long>& draft_tokens, const vector<vector<double>>& draft_probs,
    const vector<vector<double>>& target_probs, const vector<double>& random_uniforms) {
    vector<long long> accepted;
    for (size_t i = 0; i < draft_tokens.size(); i++) {
        long long x = draft_tokens[i];
        long long p = units(target_probs[i][x]), q = units(draft_probs[i][x]);
        if (random_uniforms[i] * ONE < min(ONE, p * ONE / q)) {
            accepted.push_back(x);
            continue;
        }
        double largest = 0;
        long long best = 0;
        for (size_t v = 0; v < draft_probs[i].size(); v++) {
            double residual = target_probs[i][v] - draft_probs[i][v];
            if (residual > largest) largest = residual, best = v;
        }
        accepted.push_back(best);
        return {accepted, i};
    }
    return {accepted, draft_tokens.size()};
}
