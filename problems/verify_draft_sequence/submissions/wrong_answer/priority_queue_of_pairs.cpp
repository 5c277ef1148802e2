// Mistake: of two pairs with equal residuals, the one with the larger token is on top of the queue.

#include <bits/stdc++.h>
using namespace std;

pair<vector<long long>, long long> verify_draft_sequence(
    vector<long long> draft_tokens, vector<vector<double>> draft_probs,
    vector<vector<double>> target_probs, vector<double> random_uniforms) {
    vector<long long> accepted;
    for (size_t i = 0; i < draft_tokens.size(); i++) {
        long long x = draft_tokens[i];
        if (random_uniforms[i] < min(1.0, target_probs[i][x] / draft_probs[i][x])) {
            accepted.push_back(x);
        } else {
            priority_queue<pair<double, long long>> best;
            for (size_t v = 0; v < draft_probs[i].size(); v++)
                best.push({target_probs[i][v] - draft_probs[i][v], v});
            accepted.push_back(best.top().second);
            return {accepted, i};
        }
    }
    return {accepted, accepted.size()};
}
