import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

class Solution {
    static long pair_sum(long a, long b) throws IOException {
        Path file = Path.of("/tmp/numbers");
        Files.write(file, List.of("" + a, "" + b));
        return Files.readAllLines(file).stream().mapToLong(Long::parseLong).sum();
    }
}
