// Right only if 600 MB can be held, half of them on the heap and half beside it.
import java.nio.ByteBuffer;
import java.util.Arrays;

class Solution {
    static long pair_sum(long a, long b) {
        byte[][] kept = new byte[300][];
        ByteBuffer[] beside = new ByteBuffer[300];
        byte[] ones = new byte[1 << 20];
        Arrays.fill(ones, (byte) 1);
        for (int index = 0; index < 300; index++) {
            kept[index] = ones.clone();
            beside[index] = ByteBuffer.allocateDirect(1 << 20).put(ones);
        }
        return a + b + kept[299][0] - beside[299].get(0);
    }
}
