// Standard algorithms: find the first position that fails, then the first maximum of its residual.

#include <bits/stdc++.h>
using namespace std;

using Row = vector<double>;

static Row residual_of(const Row& target, const Row& draft) {
    Row residual(target.size());
    transform(target.begin(), target.end(), draft.begin(), residual.begin(),
              [](double p, double q) { return max(0.0, p - q); });
    const double sum = accumulate(residual.begin(), residual.end(), 0.0);
    for (double& value : residual) value /= sum;
    return residual;
}

auto verify_draft_sequence(vector<long long> draft_tokens, const vector<Row>& draft_probs,
                           const vector<Row>& target_probs, const Row& random_uniforms) {
    vector<size_t> positions(draft_tokens.size());
    iota(positions.begin(), positions.end(), 0);
    const auto first_failing = find_if(positions.begin(), positions.end(), [&](size_t i) {
        const auto x = draft_tokens[i];
        return random_uniforms[i] >= min(1.0, target_probs[i][x] / draft_probs[i][x]);
    });
    const auto count = first_failing - positions.begin();
    draft_tokens.resize(count);
    if (first_failing != positions.end()) {
        const Row residual = residual_of(target_probs[count], draft_probs[count]);
        draft_tokens.push_back(max_element(residual.begin(), residual.end()) - residual.begin());
    }
    return make_pair(draft_tokens, count);
}
