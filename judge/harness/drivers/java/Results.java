package decodejudge;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes what the learner's method returned, taken leniently: any integral type for an int, arrays
 * and lists alike, any record with the right number of components for a tuple.
 *
 * <p>A learner's own List or Map runs the learner's code here; what it throws is the learner's
 * exception.
 */
final class Results {
    private static final int SHOWN_TEXT = 60;
    private final Output output;
    private final Map<Class<?>, Method[]> accessors = new HashMap<>();

    Results(Output output) {
        this.output = output;
    }

    void write(Shape shape, Object value) throws Mismatch, ReflectiveOperationException {
        switch (shape.kind) {
            case INT -> output.integer(integer(value));
            case FLOAT -> output.number(number(value));
            case SINGLE -> output.single(value instanceof Float f ? f : (float) number(value));
            case BOOL -> output.octet(typed(Boolean.class, value, "boolean") ? 1 : 0);
            case STR -> text(typed(String.class, value, "String"));
            case TUPLE -> tuple(shape, value);
            case DICT -> dict(shape, typed(Map.class, value, "Map"));
            case LIST -> items(shape.item(), value);
            case ARRAY -> array(shape, value, newSides(shape), 0);
            case OPTIONAL -> optional(shape, value);
        }
    }

    private void optional(Shape shape, Object value)
            throws Mismatch, ReflectiveOperationException {
        output.octet(value == null ? 0 : 1);
        if (value != null) {
            write(shape.item(), value);
        }
    }

    private static long integer(Object value) throws Mismatch {
        if (isIntegral(value)) {
            return ((Number) value).longValue();
        }
        String advice = value instanceof Double || value instanceof Float ? "; write (long)" : "";
        throw Mismatch.type("long", describe(value) + advice);
    }

    private static double number(Object value) throws Mismatch {
        if (value instanceof Double || value instanceof Float || isIntegral(value)) {
            return ((Number) value).doubleValue();
        }
        throw Mismatch.type("double", describe(value));
    }

    private static boolean isIntegral(Object value) {
        return value instanceof Long || value instanceof Integer || value instanceof Short
                || value instanceof Byte;
    }

    private static <T> T typed(Class<T> type, Object value, String name) throws Mismatch {
        if (!type.isInstance(value)) {
            throw Mismatch.type(name, describe(value));
        }
        return type.cast(value);
    }

    private void text(String value) throws Mismatch {
        for (int i = 0; i < value.length(); i++) {
            char unit = value.charAt(i);
            if (!Character.isSurrogate(unit)) {
                continue;
            }
            boolean isPair = i + 1 < value.length()
                    && Character.isSurrogatePair(unit, value.charAt(i + 1));
            if (!isPair) {
                throw Mismatch.type("String", "text with a lone surrogate");
            }
            i++;
        }
        output.text(value);
    }

    private void tuple(Shape shape, Object value) throws Mismatch, ReflectiveOperationException {
        String expected = "a record with " + shape.parts.length + " components";
        if (!(value instanceof Record)) {
            throw Mismatch.type(expected, describe(value));
        }
        Method[] parts = accessors(value.getClass());
        if (parts.length != shape.parts.length) {
            throw Mismatch.shape(expected, "one with " + parts.length);
        }
        for (int i = 0; i < parts.length; i++) {
            try {
                write(shape.parts[i], parts[i].invoke(value));
            } catch (Mismatch mismatch) {
                throw mismatch.inside("." + parts[i].getName());
            }
        }
    }

    private Method[] accessors(Class<?> type) {
        Method[] found = accessors.get(type);
        if (found == null) {
            RecordComponent[] components = type.getRecordComponents();
            found = new Method[components.length];
            for (int i = 0; i < found.length; i++) {
                found[i] = components[i].getAccessor();
                found[i].setAccessible(true);
            }
            accessors.put(type, found);
        }
        return found;
    }

    private void dict(Shape shape, Map<?, ?> value) throws Mismatch, ReflectiveOperationException {
        int start = output.size();
        output.count(0);
        Set<Object> seen = new HashSet<>();
        for (Map.Entry<?, ?> pair : value.entrySet()) {
            Object key = pair.getKey();
            try {
                write(shape.parts[0], key);
            } catch (Mismatch mismatch) {
                throw mismatch.inside(" key");
            }
            Object plain = key instanceof Number ? (Object) ((Number) key).longValue() : key;
            if (!seen.add(plain)) {
                throw Mismatch.type("Map", "the key " + plain + " twice");
            }
            try {
                write(shape.parts[1], pair.getValue());
            } catch (Mismatch mismatch) {
                throw mismatch.inside("[" + cut(plain.toString()) + "]");
            }
        }
        output.countAt(start, seen.size());
    }

    private void items(Shape item, Object value) throws Mismatch, ReflectiveOperationException {
        if (wroteAtOnce(item, value)) {
            return;
        }
        int start = output.size();
        output.count(0);
        int count = 0;
        for (Object part : each(value)) {
            try {
                write(item, part);
            } catch (Mismatch mismatch) {
                throw mismatch.inside("[" + count + "]");
            }
            count++;
        }
        output.countAt(start, count);
    }

    private boolean wroteAtOnce(Shape item, Object value) {
        if (item.kind == Shape.Kind.FLOAT && value instanceof double[] numbers) {
            output.count(numbers.length);
            output.numbers(numbers);
            return true;
        }
        if (item.kind == Shape.Kind.INT && value instanceof long[] integers) {
            output.count(integers.length);
            output.integers(integers);
            return true;
        }
        return false;
    }

    private static int[] newSides(Shape shape) {
        int depth = 0;
        for (Shape s = shape; s.kind == Shape.Kind.ARRAY; s = s.item()) {
            depth++;
        }
        int[] sides = new int[depth];
        Arrays.fill(sides, -1);
        return sides;
    }

    /** Rows have to be as long as the first one of their depth, {@code sides[depth]}. */
    private void array(Shape shape, Object value, int[] sides, int depth)
            throws Mismatch, ReflectiveOperationException {
        int start = output.size();
        boolean isRow = depth == sides.length - 1;
        if (isRow) {
            items(shape.item(), value);
        } else {
            rows(shape, value, sides, depth);
        }
        int count = output.countAt(start);
        String expected = "an array of " + sides.length + " dimensions";
        if (sides[depth] >= 0 && sides[depth] != count) {
            throw Mismatch.shape(expected, "rows of different lengths");
        }
        if (count == 0 && !isRow) {
            // The bytes have nested counts: behind an empty dimension is no place for more.
            throw Mismatch.shape(expected, "one without rows");
        }
        sides[depth] = count;
    }

    private void rows(Shape shape, Object value, int[] sides, int depth)
            throws Mismatch, ReflectiveOperationException {
        int start = output.size();
        output.count(0);
        int count = 0;
        for (Object row : each(value)) {
            try {
                array(shape.item(), row, sides, depth + 1);
            } catch (Mismatch mismatch) {
                throw mismatch.inside("[" + count + "]");
            }
            count++;
        }
        output.countAt(start, count);
    }

    private static Iterable<?> each(Object value) throws Mismatch {
        if (value instanceof List<?> list) {
            return list;
        }
        if (value instanceof Object[] items) {
            return Arrays.asList(items);
        }
        if (value == null || !value.getClass().isArray()) {
            throw Mismatch.type("an array", describe(value));
        }
        Object[] boxed = new Object[Array.getLength(value)];
        for (int i = 0; i < boxed.length; i++) {
            boxed[i] = Array.get(value, i);
        }
        return Arrays.asList(boxed);
    }

    private static String describe(Object value) {
        if (value == null) {
            return "null";
        }
        String name = cut(value.getClass().getSimpleName());
        boolean isPlain = isIntegral(value) || value instanceof Double || value instanceof Float
                || value instanceof Boolean || value instanceof Character
                || value instanceof String;
        return isPlain ? name + " (" + cut(value.toString()) + ")" : name;
    }

    private static String cut(String text) {
        return text.length() > SHOWN_TEXT ? text.substring(0, SHOWN_TEXT) + "…" : text;
    }
}
