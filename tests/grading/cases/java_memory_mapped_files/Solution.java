// Right only if 256 MB can be held in maps of files.
import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

class Solution {
    static long pair_sum(long a, long b) throws Exception {
        List<MappedByteBuffer> kept = new ArrayList<>();
        byte[] ones = new byte[4 << 20];
        Arrays.fill(ones, (byte) 1);
        for (int name = 0; name < 64; name++) {
            try (var file = new RandomAccessFile("/tmp/" + name, "rw")) {
                MappedByteBuffer map = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 4 << 20);
                map.put(ones);
                kept.add(map);
            }
        }
        return a + b;
    }
}
