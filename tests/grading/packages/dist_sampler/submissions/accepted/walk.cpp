#include <vector>

long long dist_sampler(const std::vector<double>& probs, const std::vector<double>& uniforms) {
    double left = uniforms[0];
    for (std::size_t token = 0; token < probs.size(); ++token) {
        left -= probs[token];
        if (left < 0) return static_cast<long long>(token);
    }
    return static_cast<long long>(probs.size()) - 1;
}
