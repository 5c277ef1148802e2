// Mistake: Double.MIN_VALUE is the smallest positive double, no lower bound for negative logits.

class Solution {
    static long sample_token(double[] logits, double temperature, long k, double random_value) {
        boolean[] kept = new boolean[logits.length];
        double largest = Double.MIN_VALUE;
        for (int round = 0; round < k; round++) {
            int best = 0;
            double record = Double.MIN_VALUE;
            for (int i = 0; i < logits.length; i++) {
                if (!kept[i] && logits[i] > record) {
                    record = logits[i];
                    best = i;
                }
            }
            kept[best] = true;
            largest = Math.max(largest, logits[best]);
        }

        double total = 0.0;
        for (int i = 0; i < logits.length; i++) {
            if (kept[i]) total += Math.exp((logits[i] - largest) / temperature);
        }
        double sum = 0.0;
        int last = 0;
        for (int i = 0; i < logits.length; i++) {
            if (!kept[i]) continue;
            sum += Math.exp((logits[i] - largest) / temperature) / total;
            if (sum > random_value) return i;
            last = i;
        }
        return last;
    }
}
