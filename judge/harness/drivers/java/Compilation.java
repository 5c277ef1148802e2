package decodejudge;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.Diagnostic;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/**
 * One source, compiled in memory and looked through for the method that the problem asks for.
 *
 * <p>Request (text = u32 length and UTF-8): text method, text declaration, u32 count and types
 * (text type, text Java type; the return value's, then the parameters'), text source. Reply: K and
 * a program (text entry class, u32 count, classes: text binary name, u32 length and bytes); or C,
 * text reason (syntax, entry_point, signature), text log; or E, the same of a source that has
 * broken the compiler: the server ends after it.
 */
final class Compilation {
    private static final String ENTRY_CLASS = "Solution";
    private static final List<String> OPTIONS = List.of(
            "-proc:none", "-implicit:none", "-g", "-Xlint:none", "-Xmaxerrs", "20",
            "-source", "17", "-target", "17",
            // Concatenation without invokedynamic: its first use costs milliseconds a run.
            "-XDstringConcat=inline");
    private static final int MAX_CLASS_BYTES = 4 * 1024 * 1024;
    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();
    private final Wanted wanted;
    private final String source;
    private final MemoryFiles files;
    private final Report report;
    private final StringWriter crash = new StringWriter();
    private boolean isBroken;

    Compilation(Wanted wanted, String source, MemoryFiles files) {
        this.wanted = wanted;
        this.source = source;
        this.files = files;
        this.report = new Report(source);
    }

    /** Whether the compiler crashed, so that it should not be used again. */
    boolean isBroken() {
        return isBroken;
    }

    byte[] reply() {
        files.clear();
        try {
            return compile();
        } catch (StackOverflowError | OutOfMemoryError | RuntimeException | IOException crashed) {
            return tooComplex();
        }
    }

    private byte[] compile() throws IOException {
        JavaFileObject file = MemoryFiles.source(source, wanted.isProgram());
        JavacTask task = (JavacTask)
                COMPILER.getTask(crash, files, this::note, OPTIONS, null, List.of(file));
        List<CompilationUnitTree> units = new ArrayList<>();
        task.parse().forEach(units::add);
        if (hasFailed()) {
            return failed();
        }
        if (wanted.isProgram()) {
            return compileProgram(task, units.get(0));
        }
        ClassTree solution = entryClass(units.get(0));
        if (solution == null) {
            return withoutEntryClass(task, units.get(0));
        }
        task.analyze();
        if (hasFailed()) {
            return failed();
        }
        EntryPoint entryPoint = new EntryPoint(task, units.get(0), wanted, report);
        String reason = entryPoint.check(solution);
        if (reason != null) {
            return failure(reason);
        }
        return generate(task, entryPoint.entryClass());
    }

    private byte[] compileProgram(JavacTask task, CompilationUnitTree unit) throws IOException {
        task.analyze();
        if (hasFailed()) {
            return failed();
        }
        String entryClass = new MainClass(task, unit).find(classes(unit));
        if (entryClass == null) {
            report.add(0, "no class has a method public static void main(String[] args)");
            return failure("entry_point");
        }
        return generate(task, entryClass);
    }

    private byte[] generate(JavacTask task, String entryClass) throws IOException {
        task.generate();
        if (hasFailed()) {
            return failed();
        }
        if (files.classBytes() > MAX_CLASS_BYTES) {
            report.add(0, "the compiled classes are larger than 4 MiB");
            return failure("syntax");
        }
        return success(entryClass);
    }

    private void note(Diagnostic<? extends JavaFileObject> diagnostic) {
        if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
            report.add(diagnostic);
        }
    }

    /** Errors were found, or the compiler told of its own crash, which it does not throw. */
    private boolean hasFailed() {
        return !report.isEmpty() || crash.getBuffer().length() > 0;
    }

    private byte[] failed() {
        // Who has told of a crash is not used again, whatever else it found.
        isBroken |= crash.getBuffer().length() > 0;
        return report.isEmpty() ? tooComplex() : failure("syntax");
    }

    private static ClassTree entryClass(CompilationUnitTree unit) {
        return classes(unit).stream()
                .filter(tree -> tree.getSimpleName().contentEquals(ENTRY_CLASS))
                .findFirst()
                .orElse(null);
    }

    private static List<ClassTree> classes(CompilationUnitTree unit) {
        List<ClassTree> classes = new ArrayList<>();
        for (Tree tree : unit.getTypeDecls()) {
            if (tree instanceof ClassTree type) {
                classes.add(type);
            }
        }
        return classes;
    }

    private byte[] withoutEntryClass(JavacTask task, CompilationUnitTree unit) {
        List<ClassTree> classes = classes(unit);
        if (classes.isEmpty()) {
            String declaration = wanted.declaration().replace("\n", "\n        ");
            report.add(0, "no class Solution is defined\nwrite:\n"
                    + "    class Solution {\n        " + declaration + "\n    }");
        } else {
            ClassTree first = classes.get(0);
            report.add(EntryPoint.start(task, unit, first), "no class Solution is defined; rename "
                    + first.getSimpleName() + " to Solution");
        }
        return failure("entry_point");
    }

    private byte[] tooComplex() {
        isBroken = true;
        Report alone = new Report(source);
        alone.add(0, "the program is too complex to be compiled");
        return failure('E', "syntax", alone);
    }

    private byte[] failure(String reason) {
        return failure('C', reason, report);
    }

    private static byte[] failure(char kind, String reason, Report report) {
        Output reply = new Output();
        reply.octet(kind);
        reply.text(reason);
        reply.bytes(report.toBytes());
        return reply.toBytes();
    }

    private byte[] success(String entryClass) {
        Map<String, ByteArrayOutputStream> classes = files.classes();
        Output reply = new Output();
        reply.octet('K');
        reply.text(entryClass);
        reply.count(classes.size());
        classes.forEach((name, bytes) -> {
            reply.text(name);
            reply.bytes(bytes.toByteArray());
        });
        return reply.toBytes();
    }
}
