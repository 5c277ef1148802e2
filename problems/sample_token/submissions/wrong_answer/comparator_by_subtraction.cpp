// Mistake: the comparison for qsort returns a difference, which is cut to an int: 0.9 becomes 0.

#include <cmath>
#include <cstdlib>
#include <vector>

struct Token {
    double logit;
    int index;
};

static int by_logit(const void* a, const void* b) {
    return static_cast<const Token*>(b)->logit - static_cast<const Token*>(a)->logit;
}

static int by_index(const void* a, const void* b) {
    return static_cast<const Token*>(a)->index - static_cast<const Token*>(b)->index;
}

int sample_token(std::vector<double>& logits, double temperature, int k, double random_value) {
    int size = logits.size();
    std::vector<Token> tokens(size);
    for (int i = 0; i < size; i++) tokens[i] = {logits[i], i};
    std::qsort(tokens.data(), size, sizeof(Token), by_logit);
    std::qsort(tokens.data(), k, sizeof(Token), by_index);

    double peak = tokens[0].logit;
    for (int j = 1; j < k; j++) peak = std::fmax(peak, tokens[j].logit);
    double total = 0;
    for (int j = 0; j < k; j++) total += std::exp((tokens[j].logit - peak) / temperature);
    double sum = 0;
    for (int j = 0; j < k; j++) {
        sum += std::exp((tokens[j].logit - peak) / temperature) / total;
        if (sum > random_value) return tokens[j].index;
    }
    return tokens[k - 1].index;
}
