package decodejudge;

class Driver {
    static long zero() {
        return 0;
    }
}

class Call {}

class Descriptor {}

class Solution {
    static long pair_sum(long a, long b) {
        return a + b + Driver.zero();
    }
}
