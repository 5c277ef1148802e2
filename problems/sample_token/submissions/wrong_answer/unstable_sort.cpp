// Mistake: std::sort is not stable, and the comparison does not look at the index.

#include <bits/stdc++.h>

struct Token {
    double logit;
    int index;
};

long long sample_token(const std::vector<double>& logits, double temperature, long long k,
                       double random_value) {
    std::vector<Token> tokens;
    for (double logit : logits) tokens.push_back({logit, static_cast<int>(tokens.size())});
    std::sort(tokens.begin(), tokens.end(),
              [](const Token& a, const Token& b) { return a.logit > b.logit; });
    const double peak = tokens.front().logit;
    tokens.resize(k);
    std::sort(tokens.begin(), tokens.end(),
              [](const Token& a, const Token& b) { return a.index < b.index; });

    double total = 0.0;
    for (const Token& token : tokens) total += std::exp((token.logit - peak) / temperature);
    double sum = 0.0;
    for (const Token& token : tokens) {
        sum += std::exp((token.logit - peak) / temperature) / total;
        if (sum > random_value) return token.index;
    }
    return tokens.back().index;
}
