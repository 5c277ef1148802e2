// Mistake: the comparison for qsort returns a difference of probabilities, which is cut to int 0.

#include <cstdlib>
#include <vector>

struct Entry {
    double residual;
    int token;
};

static int larger_first(const void* a, const void* b) {
    const Entry* first = static_cast<const Entry*>(a);
    const Entry* second = static_cast<const Entry*>(b);
    return second->residual - first->residual;
}

std::pair<std::vector<int>, int> verify_draft_sequence(
    const std::vector<long long>& draft_tokens,
    const std::vector<std::vector<double>>& draft_probs,
    const std::vector<std::vector<double>>& target_probs,
    const std::vector<double>& random_uniforms) {
    std::vector<int> tokens(draft_tokens.begin(), draft_tokens.end());
    int i = 0;
    const int size = tokens.size();
    while (i < size && random_uniforms[i] * draft_probs[i][tokens[i]] < target_probs[i][tokens[i]])
        i++;
    if (i == size) return {tokens, size};

    tokens.resize(i);
    const int vocabulary = draft_probs[i].size();
    std::vector<Entry> entries(vocabulary);
    for (int v = 0; v < vocabulary; v++)
        entries[v] = {target_probs[i][v] - draft_probs[i][v], v};
    std::qsort(entries.data(), vocabulary, sizeof(Entry), larger_first);
    tokens.push_back(entries[0].token);
    return {tokens, i};
}
