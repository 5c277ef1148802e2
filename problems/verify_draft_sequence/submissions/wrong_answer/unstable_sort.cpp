// Mistake: std::sort may put equal residuals in any order.

#include <bits/stdc++.h>
using namespace std;

struct Gain {
    int token;
    double size;
};

pair<vector<int>, int> verify_draft_sequence(const vector<long long>& draft_tokens,
                                             const vector<vector<double>>& draft_probs,
                                             const vector<vector<double>>& target_probs,
                                             const vector<double>& random_uniforms) {
    vector<int> accepted;
    int n = draft_tokens.size();
    for (int i = 0; i < n; i++) {
        int x = draft_tokens[i];
        if (random_uniforms[i] < min(1.0, target_probs[i][x] / draft_probs[i][x])) {
            accepted.push_back(x);
            continue;
        }
        vector<Gain> gains;
        for (int v = 0; v < (int)draft_probs[i].size(); v++)
            gains.push_back({v, max(0.0, target_probs[i][v] - draft_probs[i][v])});
        sort(gains.begin(), gains.end(),
             [](const Gain& a, const Gain& b) { return a.size > b.size; });
        accepted.push_back(gains[0].token);
        return {accepted, i};
    }
    return {accepted, n};
}
