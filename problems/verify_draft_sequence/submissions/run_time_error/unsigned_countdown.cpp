// Mistake: an unsigned index is always >= 0, so that the loop goes on from 0 to 2^64 - 1.

#include <bits/stdc++.h>
using namespace std;

pair<vector<long long>, size_t> verify_draft_sequence(vector<long long> draft_tokens,
                                                      vector<vector<double>> draft_probs,
                                                      vector<vector<double>> target_probs,
                                                      vector<double> random_uniforms) {
    vector<long long> accepted;
    for (size_t i = 0; i < draft_tokens.size(); i++) {
        auto token = draft_tokens[i];
        vector<double>&p = target_probs[i], &q = draft_probs[i];
        if (random_uniforms[i] < min(1.0, p[token] / q[token])) {
            accepted.push_back(token);
            continue;
        }
        // from the back, so that the smallest of equal tokens comes last and stays
        size_t best = 0;
        double largest = 0;
        for (size_t v = p.size() - 1; v >= 0; v--) {
            double residual = p.at(v) - q.at(v);
            if (residual >= largest) {
                best = v;
                largest = residual;
            }
        }
        accepted.push_back(best);
        return {accepted, i};
    }
    return {accepted, accepted.size()};
}
