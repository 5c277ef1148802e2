package decodejudge;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads a call's arguments into objects of the types that the learner's method declares.
 *
 * <p>Those are the types of the starter code, each primitive one or boxed: {@link EntryPoint}
 * refuses every other at compile time.
 */
final class Arguments {
    private final Input input;
    private final Map<Class<?>, Constructor<?>> constructors = new HashMap<>();

    Arguments(Input input) {
        this.input = input;
    }

    /** Whether values of the shape can be read into the declared type. */
    static boolean accepts(Shape shape, Type type) {
        return switch (shape.kind) {
            case INT -> type == long.class || type == Long.class;
            case FLOAT -> type == double.class || type == Double.class;
            case SINGLE -> type == float.class || type == Float.class;
            case BOOL -> type == boolean.class || type == Boolean.class;
            case STR -> type == String.class;
            case OPTIONAL -> !erasure(type).isPrimitive() && accepts(shape.item(), type);
            case TUPLE -> acceptsTuple(shape, erasure(type));
            case DICT -> type instanceof ParameterizedType
                    && erasure(type) == Map.class
                    && accepts(shape.parts[0], inside(type, 0))
                    && accepts(shape.parts[1], inside(type, 1));
            case LIST, ARRAY ->
                    component(type) != null && accepts(shape.item(), component(type));
        };
    }

    private static boolean acceptsTuple(Shape shape, Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        if (components == null || components.length != shape.parts.length) {
            return false;
        }
        for (int i = 0; i < components.length; i++) {
            if (!accepts(shape.parts[i], components[i].getGenericType())) {
                return false;
            }
        }
        return true;
    }

    Object read(Shape shape, Type type) throws ReflectiveOperationException {
        return switch (shape.kind) {
            case INT -> input.integer();
            case FLOAT -> input.number();
            case SINGLE -> input.single();
            case BOOL -> input.flag();
            case STR -> input.text();
            case OPTIONAL -> input.flag() ? read(shape.item(), type) : null;
            case TUPLE -> tuple(shape, erasure(type));
            case DICT -> dict(shape, type);
            case LIST, ARRAY -> array(shape.item(), component(type));
        };
    }

    private Object array(Shape item, Type type) throws ReflectiveOperationException {
        int count = input.count();
        if (type == double.class) {
            return input.numbers(count);
        }
        if (type == long.class) {
            return input.integers(count);
        }
        Object items = Array.newInstance(erasure(type), count);
        for (int i = 0; i < count; i++) {
            Array.set(items, i, read(item, type));
        }
        return items;
    }

    private Object tuple(Shape shape, Class<?> type) throws ReflectiveOperationException {
        RecordComponent[] components = type.getRecordComponents();
        Object[] parts = new Object[components.length];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = read(shape.parts[i], components[i].getGenericType());
        }
        Constructor<?> constructor = constructors.get(type);
        if (constructor == null) {
            Class<?>[] types = new Class<?>[components.length];
            for (int i = 0; i < types.length; i++) {
                types[i] = components[i].getType();
            }
            constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            constructors.put(type, constructor);
        }
        return constructor.newInstance(parts);
    }

    private Object dict(Shape shape, Type type) throws ReflectiveOperationException {
        Map<Object, Object> pairs = new TreeMap<>();
        for (int left = input.count(); left > 0; left--) {
            Object key = read(shape.parts[0], inside(type, 0));
            pairs.put(key, read(shape.parts[1], inside(type, 1)));
        }
        return pairs;
    }

    private static Class<?> erasure(Type type) {
        if (type instanceof ParameterizedType generic) {
            return (Class<?>) generic.getRawType();
        }
        if (type instanceof GenericArrayType) {
            return Array.newInstance(erasure(component(type)), 0).getClass();
        }
        return type instanceof Class<?> plain ? plain : Object.class;
    }

    private static Type component(Type type) {
        if (type instanceof GenericArrayType array) {
            return array.getGenericComponentType();
        }
        return erasure(type).getComponentType();
    }

    private static Type inside(Type type, int index) {
        return ((ParameterizedType) type).getActualTypeArguments()[index];
    }
}
