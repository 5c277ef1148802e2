// Mistake: where first and last logit are equal and nothing is smaller, the part of the high ones
// is the whole again, and the recursion never gets to its end.

#include <algorithm>
#include <cmath>
#include <vector>

struct Token {
    double logit;
    int index;
};

static void sort_downwards(Token* tokens, int count) {
    if (count < 2) return;
    Token high[1000], low[1000];
    int highs = 0, lows = 0;
    double pivot = (tokens[0].logit + tokens[count - 1].logit) / 2;
    for (int i = 0; i < count; i++) {
        if (tokens[i].logit >= pivot)
            high[highs++] = tokens[i];
        else
            low[lows++] = tokens[i];
    }
    sort_downwards(high, highs);
    sort_downwards(low, lows);
    std::copy(low, low + lows, std::copy(high, high + highs, tokens));
}

long long sample_token(const std::vector<double>& logits, double temperature, long long k,
                       double random_value) {
    std::vector<Token> tokens;
    for (double logit : logits) tokens.push_back({logit, (int)tokens.size()});
    sort_downwards(tokens.data(), tokens.size());
    const double peak = tokens[0].logit;
    tokens.resize(k);
    std::sort(tokens.begin(), tokens.end(),
              [](const Token& a, const Token& b) { return a.index < b.index; });

    double total = 0.0, sum = 0.0;
    for (const auto& token : tokens) total += std::exp((token.logit - peak) / temperature);
    for (const auto& token : tokens) {
        sum += std::exp((token.logit - peak) / temperature) / total;
        if (sum > random_value) return token.index;
    }
    return tokens.back().index;
}
