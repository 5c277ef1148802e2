#include <vector>

long long dist_sampler(const std::vector<double>& probs, const std::vector<double>& uniforms) {
    return static_cast<long long>(uniforms[0] * probs.size());
}
