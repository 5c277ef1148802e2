class Solution {
    static long pair_sum(long a, long b) {
        System.out.print("one xin chào 你好 🙂");
        System.err.printf("two %d", 2);
        System.out.write(0);
        System.out.write(0xff);
        System.out.print("\u001b[31m<b>");
        return a + b;
    }
}
