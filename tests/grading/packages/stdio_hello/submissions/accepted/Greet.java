import java.util.Scanner;

public class Greet {
    public static void main(String[] arguments) {
        String name = new Scanner(System.in).nextLine().strip().replaceAll(" +", " ");
        System.out.println("Good morning, " + name + "!");
    }
}
