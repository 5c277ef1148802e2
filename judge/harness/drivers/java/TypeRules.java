package decodejudge;

import com.sun.source.util.JavacTask;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.ExecutableType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;

/**
 * Which declared Java types do for a type of a signature.
 *
 * <p>Parameters are taken exactly as the starter code writes them, or boxed ({@link Arguments} has
 * the same rules for reflection). Return types are taken leniently: all that may hold a value which
 * {@link Results} takes.
 */
final class TypeRules {
    private static final Set<TypeKind> INTEGRAL =
            Set.of(TypeKind.BYTE, TypeKind.SHORT, TypeKind.INT, TypeKind.LONG);
    private static final Set<TypeKind> FLOATING = Set.of(TypeKind.FLOAT, TypeKind.DOUBLE);
    private final Types types;
    private final Elements elements;

    TypeRules(JavacTask task) {
        types = task.getTypes();
        elements = task.getElements();
    }

    /** The type as a learner would write it. */
    String name(TypeMirror type) {
        return type.toString().replace("java.lang.", "").replace(",", ", ");
    }

    boolean isExactly(Shape shape, TypeMirror type) {
        return switch (shape.kind) {
            case INT -> unboxed(type) == TypeKind.LONG;
            case FLOAT -> unboxed(type) == TypeKind.DOUBLE;
            case SINGLE -> unboxed(type) == TypeKind.FLOAT;
            case BOOL -> unboxed(type) == TypeKind.BOOLEAN;
            case STR -> is(type, "java.lang.String");
            case OPTIONAL -> !type.getKind().isPrimitive() && isExactly(shape.item(), type);
            case TUPLE -> isExactRecord(shape, type);
            case DICT -> is(type, "java.util.Map")
                    && arguments(type).size() == 2
                    && isExactly(shape.parts[0], arguments(type).get(0))
                    && isExactly(shape.parts[1], arguments(type).get(1));
            case LIST, ARRAY -> type.getKind() == TypeKind.ARRAY
                    && isExactly(shape.item(), ((ArrayType) type).getComponentType());
        };
    }

    private boolean isExactRecord(Shape shape, TypeMirror type) {
        if (!isRecord(type) || !arguments(type).isEmpty()) {
            return false;
        }
        List<TypeMirror> parts = components(type);
        if (parts.size() != shape.parts.length || element(type).getTypeParameters().size() > 0) {
            return false;
        }
        for (int i = 0; i < shape.parts.length; i++) {
            if (!isExactly(shape.parts[i], parts.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Whether a value of the type may be of the shape; what is left is checked at run time. */
    boolean fits(Shape shape, TypeMirror type) {
        if (type.getKind() == TypeKind.TYPEVAR || type.getKind() == TypeKind.WILDCARD) {
            return true;
        }
        return switch (shape.kind) {
            case INT -> INTEGRAL.contains(unboxed(type)) || holds(type, "java.lang.Long");
            case FLOAT, SINGLE -> INTEGRAL.contains(unboxed(type))
                    || FLOATING.contains(unboxed(type)) || holds(type, "java.lang.Double");
            case BOOL -> unboxed(type) == TypeKind.BOOLEAN || holds(type, "java.lang.Boolean");
            case STR -> holds(type, "java.lang.String");
            case OPTIONAL -> fits(shape.item(), type);
            case TUPLE -> isRecord(type) ? recordFits(shape, type) : mayBeRecord(type);
            case DICT -> partsFit(shape, type, "java.util.Map");
            case LIST, ARRAY -> type.getKind() == TypeKind.ARRAY
                    ? fits(shape.item(), ((ArrayType) type).getComponentType())
                    : partsFit(shape, type, "java.util.List");
        };
    }

    /** Whether the type is a floating one where an integral one is due. */
    boolean isNarrowing(Shape shape, TypeMirror type) {
        return shape.kind == Shape.Kind.INT && FLOATING.contains(unboxed(type));
    }

    private boolean recordFits(Shape shape, TypeMirror type) {
        List<TypeMirror> parts = components(type);
        if (parts.size() != shape.parts.length) {
            return false;
        }
        for (int i = 0; i < shape.parts.length; i++) {
            if (!fits(shape.parts[i], parts.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Object, Record, or an interface of the learner's own that records may implement. */
    private boolean mayBeRecord(TypeMirror type) {
        if (type.getKind() != TypeKind.DECLARED) {
            return false;
        }
        boolean isLearners = elements.getModuleOf(element(type)).isUnnamed();
        return isLearners && element(type).getKind().isInterface()
                || holds(type, "java.lang.Record");
    }

    /** For a List or Map: its type arguments fit; for a supertype of it: left to run time. */
    private boolean partsFit(Shape shape, TypeMirror type, String collection) {
        if (type.getKind() != TypeKind.DECLARED) {
            return false;
        }
        DeclaredType found = supertype(type, collection);
        if (found == null) {
            TypeMirror raw = types.erasure(elements.getTypeElement(collection).asType());
            return types.isSubtype(raw, types.erasure(type));
        }
        List<? extends TypeMirror> arguments = found.getTypeArguments();
        for (int i = 0; i < arguments.size(); i++) {
            if (!fits(shape.parts[i], arguments.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** The type itself or that supertype of it which has the name, or null. */
    private DeclaredType supertype(TypeMirror type, String name) {
        if (is(type, name)) {
            return (DeclaredType) type;
        }
        for (TypeMirror parent : types.directSupertypes(type)) {
            DeclaredType found = supertype(parent, name);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** Whether a reference of the type may point to an object of the named class. */
    private boolean holds(TypeMirror type, String name) {
        return type.getKind() == TypeKind.DECLARED
                && types.isSubtype(elements.getTypeElement(name).asType(), type);
    }

    boolean isRecord(TypeMirror type) {
        return type.getKind() == TypeKind.DECLARED && element(type).getKind() == ElementKind.RECORD;
    }

    /** Types of a record's components, type arguments filled in. */
    private List<TypeMirror> components(TypeMirror type) {
        return ElementFilter.recordComponentsIn(element(type).getEnclosedElements()).stream()
                .map(RecordComponentElement::getAccessor)
                .map(accessor -> types.asMemberOf((DeclaredType) type, accessor))
                .map(accessor -> ((ExecutableType) accessor).getReturnType())
                .toList();
    }

    private TypeKind unboxed(TypeMirror type) {
        if (type.getKind().isPrimitive()) {
            return type.getKind();
        }
        try {
            return types.unboxedType(type).getKind();
        } catch (IllegalArgumentException notBoxed) {
            return TypeKind.NONE;
        }
    }

    private boolean is(TypeMirror type, String name) {
        return type.getKind() == TypeKind.DECLARED
                && element(type).getQualifiedName().contentEquals(name);
    }

    private static TypeElement element(TypeMirror type) {
        return (TypeElement) ((DeclaredType) type).asElement();
    }

    private static List<? extends TypeMirror> arguments(TypeMirror type) {
        return ((DeclaredType) type).getTypeArguments();
    }
}
