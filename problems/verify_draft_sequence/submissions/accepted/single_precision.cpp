// A verifier class in single precision that ranks all tokens with a stable sort.

#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

template <class Number>
class Verifier {
  public:
    Verifier(const std::vector<Number>& draft, const std::vector<Number>& target)
        : draft_(draft), target_(target) {}

    // Asks mark < p/q without a division; the cut at 1 is not needed because the mark is below 1.
    bool accepts(long long token, Number mark) const {
        return mark * draft_[token] < target_[token];
    }

    long long replacement() const {
        std::vector<long long> ranking(draft_.size());
        std::iota(ranking.begin(), ranking.end(), 0);
        std::stable_sort(ranking.begin(), ranking.end(), [this](auto a, auto b) {
            return target_[a] - draft_[a] > target_[b] - draft_[b];
        });
        return ranking.front();
    }

  private:
    std::vector<Number> draft_;
    std::vector<Number> target_;
};

std::tuple<std::vector<long long>, std::size_t> verify_draft_sequence(
    const std::vector<long long>& draft_tokens,
    const std::vector<std::vector<double>>& draft_probs,
    const std::vector<std::vector<double>>& target_probs,
    const std::vector<double>& random_uniforms) {
    const auto narrow = [](const std::vector<double>& row) {
        return std::vector<float>(row.begin(), row.end());
    };
    std::vector<long long> accepted;
    for (std::size_t i = 0; i < draft_tokens.size(); ++i) {
        const Verifier<float> verifier(narrow(draft_probs[i]), narrow(target_probs[i]));
        if (!verifier.accepts(draft_tokens[i], static_cast<float>(random_uniforms[i]))) {
            accepted.push_back(verifier.replacement());
            return {accepted, i};
        }
        accepted.push_back(draft_tokens[i]);
    }
    return {accepted, accepted.size()};
}
