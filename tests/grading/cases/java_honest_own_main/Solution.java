import java.util.Scanner;

public class Solution {
    public static void main(String[] arguments) {
        Scanner in = new Scanner(System.in);
        System.out.println(pair_sum(in.nextLong(), in.nextLong()));
    }

    static long pair_sum(long a, long b) {
        return a + b;
    }
}
