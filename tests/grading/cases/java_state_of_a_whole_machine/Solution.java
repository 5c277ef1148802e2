// Right only if nothing is left of what a run before this one changed.
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.TimeZone;
import java.util.prefs.Preferences;

class Solution {
    static int runs;

    static long pair_sum(long a, long b) throws Exception {
        String zone = TimeZone.getDefault().getID();
        boolean left = runs++ > 0
                || System.getProperty("left") != null
                || Locale.getDefault().getLanguage().equals("vi")
                || zone.equals("Asia/Ho_Chi_Minh")
                || Files.exists(Path.of("/tmp/left"))
                || Thread.getAllStackTraces().keySet().stream().anyMatch(each -> each.getName().equals("left"))
                || System.getSecurityManager() != null;
        if (left) {
            throw new IllegalStateException("a run before this one is still here");
        }
        System.setProperty("left", "1");
        Locale.setDefault(Locale.forLanguageTag("vi"));
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Ho_Chi_Minh"));
        try {
            Files.createFile(Path.of("/tmp/left"));
            Preferences.userRoot().put("left", "1");
        } catch (Exception denied) {
            System.out.print("");
        }
        Thread thread = new Thread(() -> {
            while (true) {
                java.util.concurrent.locks.LockSupport.park();
            }
        }, "left");
        thread.setDaemon(true);
        thread.start();
        return a + b;
    }
}
