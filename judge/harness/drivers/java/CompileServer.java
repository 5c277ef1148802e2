package decodejudge;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;

/**
 * Runs inside a box of its own: compiles learners' sources, one after another, and runs none.
 *
 * <p>It warms javac up, writes the single byte W on descriptor 3, then serves frames (u32 length
 * and payload) from standard input to descriptor 3 until the input ends. {@link Compilation} has
 * the payloads. A compilation that broke the compiler is answered, and ends the server.
 */
public final class CompileServer implements Runnable {
    private static final int STACK_BYTES = 64 * 1024 * 1024;
    private static final int BROKEN = 70;
    private final OutputStream replies;

    private CompileServer(OutputStream replies) {
        this.replies = replies;
    }

    public static void main(String[] arguments) throws ReflectiveOperationException {
        Locale.setDefault(Locale.ENGLISH);
        // Deeply nested sources need a deep stack.
        CompileServer server = new CompileServer(Descriptor.replies());
        new Thread(null, server, "compile", STACK_BYTES).start();
    }

    @Override
    public void run() {
        int status = 0;
        try (MemoryFiles files = new MemoryFiles()) {
            WarmUp.run(files);
            replies.write('W');
            serve(Descriptor.requests(), files);
        } catch (IOException | RuntimeException | Error broken) {
            status = BROKEN;
        }
        Runtime.getRuntime().halt(status);
    }

    private void serve(InputStream requests, MemoryFiles files) throws IOException {
        while (true) {
            byte[] header = requests.readNBytes(Integer.BYTES);
            if (header.length == 0) {
                return;
            }
            int size = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).getInt();
            byte[] bytes = requests.readNBytes(size);
            if (bytes.length != size) {
                throw new EOFException();
            }
            Input request = new Input(bytes);
            Wanted wanted = Wanted.read(request);
            Compilation compilation = new Compilation(wanted, request.text(), files);
            Output reply = new Output();
            reply.bytes(compilation.reply());
            replies.write(reply.toBytes());
            if (compilation.isBroken()) {
                return;
            }
        }
    }
}
