// Right only if every act is refused.
import java.io.IOException;

class Solution {
    static long pair_sum(long a, long b) throws Exception {
        String own = System.getProperty("java.home") + "/bin/java";
        String helper = System.getProperty("java.home") + "/lib/jspawnhelper";
        for (String program : new String[] {"true", "/bin/true", "/usr/bin/true", "/bin/sh", own, helper, "/lib64/ld-linux-x86-64.so.2"}) {
            for (String way : new String[] {"FORK", "VFORK", "POSIX_SPAWN"}) {
                System.setProperty("jdk.lang.Process.launchMechanism", way);
                try {
                    int status = new ProcessBuilder(program, "--version").inheritIO().start().waitFor();
                    throw new IllegalStateException(program + " " + status);
                } catch (IOException | Error denied) {
                    continue;
                }
            }
        }
        return a + b;
    }
}
