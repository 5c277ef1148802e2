class Solution {
    interface A<T> {}
    interface B<T> extends A<A<? super B<B<T>>>> {}

    static A<? super B<String>> widen(B<String> narrow) {
        return narrow;
    }

    static long pair_sum(long a, long b) {
        return a + b;
    }
}
