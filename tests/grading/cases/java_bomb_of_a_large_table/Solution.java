// Constants that are folded to texts of megabytes, if the compiler lets them.
class Solution {
    static final String A = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    static final String B = A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A;
    static final String C = B + B + B + B + B + B + B + B + B + B + B + B + B + B + B + B;
    static final String D = C + C + C + C + C + C + C + C + C + C + C + C + C + C + C + C;
    static final String E = D + D + D + D + D + D + D + D + D + D + D + D + D + D + D + D;
    static final String F = E + E + E + E + E + E + E + E + E + E + E + E + E + E + E + E;
    static final String G = F + F + F + F + F + F + F + F + F + F + F + F + F + F + F + F;

    static long pair_sum(long a, long b) {
        return a + b + 0 * G.length();
    }
}
