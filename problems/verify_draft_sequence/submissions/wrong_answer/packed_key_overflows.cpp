// Mistake: residual and token are packed into one int; their product needs 64 bits.

#include <bits/stdc++.h>
using namespace std;

pair<vector<long long>, int> verify_draft_sequence(const vector<long long>& draft_tokens,
                                                   const vector<vector<double>>& draft_probs,
                                                   const vector<vector<double>>& target_probs,
                                                   const vector<double>& random_uniforms) {
    vector<long long> accepted;
    int k = draft_tokens.size(), vocabulary = draft_probs[0].size();
    for (int i = 0; i < k; i++) {
        auto x = draft_tokens[i];
        if (random_uniforms[i] < min(1.0, target_probs[i][x] / draft_probs[i][x])) {
            accepted.push_back(x);
            continue;
        }
        int largest = 0, best = 0;
        for (int v = 0; v < vocabulary; v++) {
            double residual = max(0.0, target_probs[i][v] - draft_probs[i][v]);
            int key = lround(residual * 1e9) * vocabulary + (vocabulary - 1 - v);
            if (key > largest) largest = key, best = v;
        }
        accepted.push_back(best);
        return {accepted, i};
    }
    return {accepted, k};
}
