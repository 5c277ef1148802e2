package decodejudge;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Runs inside a Java box: calls the learner's method once and writes one reply frame.
 *
 * <p>A JVM of this class is started ahead of its use. As soon as it is ready it writes the single
 * byte W on descriptor 3 and waits for one request ({@link Call}), which is all of standard input.
 * Reply on descriptor 3: one byte kind, then a value in wire form (V) or a JSON object (M mismatch,
 * R raised, O out of memory). Then it halts. A program's answer is what it prints; only how its
 * main method failed is told on descriptor 3. It shares its process with the learner's code, so
 * nothing that it writes is believed for more than "this is what the learner's program answered",
 * and nothing worth stealing ever reaches it.
 *
 * <p>It rehearses no call: what the launcher does for the jar's Add-Opens has already started the
 * machinery behind lambdas, and more than that costs a JVM as much as it saves the call.
 */
public final class Driver implements Runnable {
    private static final int STACK_BYTES = 64 * 1024 * 1024;
    private static final int PRINT_BYTES = 8192;
    private static final int BROKEN = 70;
    private final OutputStream replies;
    private final PrintStream out = stream(FileDescriptor.out);
    private final PrintStream err = stream(FileDescriptor.err);

    private Driver(OutputStream replies) {
        this.replies = replies;
    }

    public static void main(String[] arguments) throws ReflectiveOperationException {
        Driver driver = new Driver(Descriptor.replies());
        // The learner's code gets a deep stack, and finds itself in a thread of the usual name.
        new Thread(null, driver, "main", STACK_BYTES).start();
    }

    @Override
    public void run() {
        try {
            System.setOut(out);
            System.setErr(err);
            Runtime.getRuntime().addShutdownHook(new FlushAtExit());
            replies.write('W');
            Call call = new Call(Descriptor.requests().readAllBytes());
            System.setIn(call.standardInput());
            byte[] frame = call.isProgram() ? call.run() : call.answer();
            if (frame == null) {
                // The program ends with the last of its threads, as under any other JVM.
                return;
            }
            flush();
            replies.write(frame);
            Runtime.getRuntime().halt(0);
        } catch (IOException | RuntimeException | Error broken) {
            // The judge's fault, or nothing that could still be answered.
            Runtime.getRuntime().halt(BROKEN);
        }
    }

    private void flush() {
        out.flush();
        err.flush();
    }

    private static PrintStream stream(FileDescriptor descriptor) {
        OutputStream buffer =
                new BufferedOutputStream(new FileOutputStream(descriptor), PRINT_BYTES);
        return new PrintStream(buffer, false, StandardCharsets.UTF_8);
    }

    /** Keeps what was printed before System.exit. */
    private final class FlushAtExit extends Thread {
        @Override
        public void run() {
            flush();
        }
    }
}
