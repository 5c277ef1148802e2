// Mistake: std::sort needs a strict order; with >= equal logits lead it out of the vector.

#include <bits/stdc++.h>

int sample_token(const std::vector<double>& logits, double temperature, int k,
                 double random_value) {
    std::vector<int> kept(logits.size());
    std::iota(kept.begin(), kept.end(), 0);
    std::sort(kept.begin(), kept.end(),
              [&](int a, int b) { return logits.at(a) >= logits.at(b); });
    double peak = logits[kept[0]];
    kept.resize(k);
    std::sort(kept.begin(), kept.end());

    double total = 0, sum = 0;
    for (int i : kept) total += std::exp((logits[i] - peak) / temperature);
    for (int i : kept) {
        sum += std::exp((logits[i] - peak) / temperature) / total;
        if (sum > random_value) return i;
    }
    return kept.back();
}
