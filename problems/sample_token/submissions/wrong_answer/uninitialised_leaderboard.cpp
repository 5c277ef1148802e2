// Mistake: new does not clear the places of the leaderboard, and nothing fills them before the
// first comparison.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

struct Entry {
    double logit;
    long long index;
};

long long sample_token(const std::vector<double>& logits, double temperature, long long k,
                       double random_value) {
    Entry* board = new Entry[k];
    for (long long i = 0; i < static_cast<long long>(logits.size()); ++i) {
        if (logits[i] > board[k - 1].logit) {
            board[k - 1] = {logits[i], i};
            for (long long j = k - 1; j > 0 && board[j].logit > board[j - 1].logit; --j) {
                std::swap(board[j], board[j - 1]);
            }
        }
    }
    const double peak = board[0].logit;
    std::sort(board, board + k, [](const Entry& a, const Entry& b) { return a.index < b.index; });

    double total = 0.0;
    for (long long j = 0; j < k; ++j) total += std::exp((board[j].logit - peak) / temperature);
    double sum = 0.0;
    for (long long j = 0; j < k; ++j) {
        sum += std::exp((board[j].logit - peak) / temperature) / total;
        if (sum > random_value) return board[j].index;
    }
    return board[k - 1].index;
}
