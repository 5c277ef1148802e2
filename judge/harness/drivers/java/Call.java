package decodejudge;

import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.Map;

/**
 * One call of the learner's method, or many with one argument drawn anew, as a request describes it.
 *
 * <p>Request (text = u32 length and UTF-8): a program (text entry class, u32 count, classes: text
 * binary name, u32 length and bytes), text method, u32 count and types (text; the return value's,
 * then the parameters'), u32 number of the drawn parameter (from 1; 0 for none), then the arguments
 * in wire form. A drawn argument is a count and that many values; the method is called with each of
 * them, and the reply's value is the list of what it returned. Where the method has no name the
 * program is run instead: no types follow, only what it finds on its standard input.
 */
final class Call {
    private final Input input;
    private final String entry;
    private final String method;
    private final Shape[] parameters;
    private final Shape returns;
    private final int drawn;
    private int draw;
    private int draws;
    private final Map<String, byte[]> classes = new HashMap<>();

    Call(byte[] request) {
        input = new Input(request);
        entry = input.text();
        for (int left = input.count(); left > 0; left--) {
            String name = input.text();
            classes.put(name, input.bytes());
        }
        method = input.text();
        if (isProgram()) {
            parameters = null;
            returns = null;
            drawn = -1;
            return;
        }
        parameters = new Shape[input.count() - 1];
        returns = Shape.parse(input.text());
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] = Shape.parse(input.text());
        }
        drawn = input.count() - 1;
    }

    /** Whether a program is run, whose answer is what it prints. */
    boolean isProgram() {
        return method.isEmpty();
    }

    /** What the learner's code finds on its standard input. */
    InputStream standardInput() {
        return isProgram() ? input.rest() : InputStream.nullInputStream();
    }

    /** Runs the program; null where its main method came to its end, else the reply's frame. */
    byte[] run() {
        try {
            Method main = loadEntry().getMethod("main", String[].class);
            main.setAccessible(true);
            main.invoke(null, (Object) new String[0]);
            return null;
        } catch (Throwable thrown) {
            return Failures.thrown(thrown, "");
        }
    }

    /** Makes the call and gives the reply's frame. */
    byte[] answer() {
        try {
            Output frame = new Output();
            frame.octet('V');
            invoke(frame);
            return frame.toBytes();
        } catch (Mismatch mismatch) {
            return Failures.mismatch(mismatch, turn());
        } catch (Throwable thrown) {
            return Failures.thrown(thrown, turn());
        }
    }

    /** Which of many calls is at work; empty where there is a single one. */
    private String turn() {
        return draws == 0 ? "" : "\nin draw " + draw + " of " + draws;
    }

    private void invoke(Output frame) throws Mismatch, ReflectiveOperationException {
        Class<?> solution = loadEntry();
        Method target = find(solution);
        target.setAccessible(true);
        Type[] types = target.getGenericParameterTypes();
        Object[] values = new Object[types.length];
        Arguments arguments = new Arguments(input);
        for (int i = 0; i < types.length; i++) {
            values[i] = i == drawn
                    ? rows(arguments, types[i]) : arguments.read(parameters[i], types[i]);
        }
        Object receiver = Modifier.isStatic(target.getModifiers()) ? null : instance(solution);
        Results results = new Results(frame);
        if (drawn < 0) {
            results.write(returns, target.invoke(receiver, values));
            return;
        }
        Object[] rows = (Object[]) values[drawn];
        frame.count(rows.length);
        draws = rows.length;
        for (Object row : rows) {
            draw++;
            values[drawn] = row;
            results.write(returns, target.invoke(receiver, values));
        }
    }

    private Object[] rows(Arguments arguments, Type type) throws ReflectiveOperationException {
        Object[] rows = new Object[input.count()];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = arguments.read(parameters[drawn], type);
        }
        return rows;
    }

    private Class<?> loadEntry() throws ClassNotFoundException {
        ClassLoader loader = new LearnerLoader(classes);
        Thread.currentThread().setContextClassLoader(loader);
        return loader.loadClass(entry);
    }

    private Method find(Class<?> solution) throws NoSuchMethodException {
        for (Class<?> type = solution; type != null; type = type.getSuperclass()) {
            for (Method candidate : type.getDeclaredMethods()) {
                if (candidate.getName().equals(method) && accepts(candidate)) {
                    return candidate;
                }
            }
        }
        throw new NoSuchMethodException(method);
    }

    private boolean accepts(Method candidate) {
        Type[] types = candidate.getGenericParameterTypes();
        if (candidate.isBridge() || types.length != parameters.length) {
            return false;
        }
        for (int i = 0; i < types.length; i++) {
            if (!Arguments.accepts(parameters[i], types[i])) {
                return false;
            }
        }
        return true;
    }

    private static Object instance(Class<?> solution) throws ReflectiveOperationException {
        Constructor<?> constructor = solution.getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }
}
