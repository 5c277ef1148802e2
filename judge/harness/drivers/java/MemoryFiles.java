package decodejudge;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** The compiler's files: the JDK's classes, one source, and class files that stay in memory. */
final class MemoryFiles extends ForwardingJavaFileManager<StandardJavaFileManager> {
    private final Map<String, ByteArrayOutputStream> classes = new TreeMap<>();

    MemoryFiles() throws IOException {
        super(ToolProvider.getSystemJavaCompiler()
                .getStandardFileManager(null, Locale.ENGLISH, null));
        // Nothing beyond the JDK: the driver's own classes are no business of a learner's source.
        fileManager.setLocation(StandardLocation.CLASS_PATH, List.of());
        fileManager.setLocation(StandardLocation.SOURCE_PATH, List.of());
    }

    void clear() {
        classes.clear();
    }

    /** Class files of the last compilation by binary name. */
    Map<String, ByteArrayOutputStream> classes() {
        return classes;
    }

    long classBytes() {
        return classes.values().stream().mapToLong(ByteArrayOutputStream::size).sum();
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
            Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        classes.put(name, bytes);
        return new SimpleJavaFileObject(URI.create("memory:///class"), kind) {
            @Override
            public OutputStream openOutputStream() {
                return bytes;
            }
        };
    }

    /** The learner's text under the one name that is ever shown; a program's class has any name. */
    static JavaFileObject source(String text, boolean isProgram) {
        URI name = URI.create("memory:///" + Report.FILE_NAME);
        return new SimpleJavaFileObject(name, JavaFileObject.Kind.SOURCE) {
            @Override
            public boolean isNameCompatible(String simpleName, Kind kind) {
                return isProgram || super.isNameCompatible(simpleName, kind);
            }

            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
    }
}
