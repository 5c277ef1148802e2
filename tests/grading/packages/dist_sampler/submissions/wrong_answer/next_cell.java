class Solution {
    static long dist_sampler(double[] probs, double[] uniforms) {
        double left = uniforms[0];
        for (int token = 0; token < probs.length; token++) {
            left -= probs[token];
            if (left < 0) {
                return (token + 1) % probs.length;
            }
        }
        return 0;
    }
}
