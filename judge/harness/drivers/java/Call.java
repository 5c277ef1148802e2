package decodejudge;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.Map;

/**
 * One call of the learner's method, as a request describes it.
 *
 * <p>Request (text = u32 length and UTF-8): a program (text entry class, u32 count, classes: text
 * binary name, u32 length and bytes), text method, u32 count and types (text; the return value's,
 * then the parameters'), then the arguments in wire form.
 */
final class Call {
    private final Input input;
    private final String entry;
    private final String method;
    private final Shape[] parameters;
    private final Shape returns;
    private final Map<String, byte[]> classes = new HashMap<>();

    Call(byte[] request) {
        input = new Input(request);
        entry = input.text();
        for (int left = input.count(); left > 0; left--) {
            String name = input.text();
            classes.put(name, input.bytes());
        }
        method = input.text();
        parameters = new Shape[input.count() - 1];
        returns = Shape.parse(input.text());
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] = Shape.parse(input.text());
        }
    }

    /** Makes the call and gives the reply's frame. */
    byte[] answer() {
        try {
            Object returned = invoke();
            Output frame = new Output();
            frame.octet('V');
            new Results(frame).write(returns, returned);
            return frame.toBytes();
        } catch (Mismatch mismatch) {
            return Failures.mismatch(mismatch);
        } catch (Throwable thrown) {
            return Failures.thrown(thrown);
        }
    }

    private Object invoke() throws ReflectiveOperationException {
        ClassLoader loader = new LearnerLoader(classes);
        Thread.currentThread().setContextClassLoader(loader);
        Class<?> solution = loader.loadClass(entry);
        Method target = find(solution);
        target.setAccessible(true);
        Type[] types = target.getGenericParameterTypes();
        Object[] values = new Object[types.length];
        Arguments arguments = new Arguments(input);
        for (int i = 0; i < types.length; i++) {
            values[i] = arguments.read(parameters[i], types[i]);
        }
        Object receiver = Modifier.isStatic(target.getModifiers()) ? null : instance(solution);
        return target.invoke(receiver, values);
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
