// Right only if every act is refused.
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

class Solution {
    interface Act {
        void run() throws IOException;
    }

    static long pair_sum(long a, long b) {
        Path file = Path.of("/tmp/file");
        Path link = Path.of("/tmp/link");
        Path library = Path.of(System.getProperty("java.home"), "release");
        try {
            Files.writeString(file, "x");
        } catch (IOException denied) {
            System.out.print("no file of its own");
        }
        List<Act> acts = List.of(
                () -> Files.createSymbolicLink(link, Path.of("/etc/passwd")),
                () -> Files.createLink(link, file),
                () -> Files.createLink(link, library),
                () -> Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxrwxrwx")),
                () -> Files.setAttribute(file, "unix:uid", 0),
                () -> Files.setAttribute(file, "user:a", new byte[1]),
                () -> Files.move(file, Path.of("/usr/file"), StandardCopyOption.REPLACE_EXISTING),
                () -> Files.move(file, library, StandardCopyOption.ATOMIC_MOVE),
                () -> Files.setLastModifiedTime(library, FileTime.fromMillis(0)),
                () -> Files.delete(library),
                () -> Files.writeString(library, "x"),
                () -> Files.createDirectory(Path.of("/was_here")));
        for (Act act : acts) {
            try {
                act.run();
            } catch (IOException | UnsupportedOperationException denied) {
                continue;
            }
            throw new IllegalStateException("act " + acts.indexOf(act));
        }
        return a + b;
    }
}
