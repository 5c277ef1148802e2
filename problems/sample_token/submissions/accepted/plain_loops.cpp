// Plain loops and flags: picks the best remaining token k times, then walks over the flags.

#include <cmath>
#include <vector>

long long sample_token(const std::vector<double>& logits, double temperature, long long k,
                       double random_value) {
    const int size = static_cast<int>(logits.size());
    std::vector<char> kept(size, 0);
    double largest = 0.0;
    for (long long round = 0; round < k; ++round) {
        int best = -1;
        for (int i = 0; i < size; ++i) {
            if (!kept[i] && (best < 0 || logits[i] > logits[best])) {
                best = i;
            }
        }
        kept[best] = 1;
        if (round == 0) {
            largest = logits[best];
        }
    }

    std::vector<double> weights(size, 0.0);
    double total = 0.0;
    for (int i = 0; i < size; ++i) {
        if (kept[i]) {
            weights[i] = std::exp((logits[i] - largest) / temperature);
            total += weights[i];
        }
    }

    double running_sum = 0.0;
    int last = 0;
    for (int i = 0; i < size; ++i) {
        if (!kept[i]) {
            continue;
        }
        running_sum += weights[i] / total;
        if (running_sum > random_value) {
            return i;
        }
        last = i;
    }
    return last;
}
