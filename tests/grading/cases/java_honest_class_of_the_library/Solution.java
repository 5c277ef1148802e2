class String {}

class Object2 {}

class System {
    static final long zero = 0;
}

class Solution {
    static long pair_sum(long a, long b) {
        return a + b + System.zero;
    }
}
