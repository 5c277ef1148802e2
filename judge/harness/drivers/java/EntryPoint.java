package decodejudge;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.Trees;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;

/** Looks for the wanted method in a class that compiles, and reports why it cannot be called. */
final class EntryPoint {
    private final JavacTask task;
    private final Trees trees;
    private final CompilationUnitTree unit;
    private final Wanted wanted;
    private final Report report;
    private final TypeRules rules;
    private TypeElement entryClass;
    private Tree entryTree;
    private String binaryName;

    EntryPoint(JavacTask task, CompilationUnitTree unit, Wanted wanted, Report report) {
        this.task = task;
        this.trees = Trees.instance(task);
        this.unit = unit;
        this.wanted = wanted;
        this.report = report;
        this.rules = new TypeRules(task);
    }

    /** Binary name of the class, after {@link #check}. */
    String entryClass() {
        return binaryName;
    }

    /** Null if the method can be called, else the reason of the failure, which is reported. */
    String check(ClassTree solution) {
        entryTree = solution;
        TreePath path = new TreePath(new TreePath(unit), solution);
        entryClass = (TypeElement) trees.getElement(path);
        binaryName = task.getElements().getBinaryName(entryClass).toString();
        List<ExecutableElement> methods = methods(entryClass);
        if (methods.isEmpty()) {
            return entryPoint(entryClass, "class Solution has no method " + wanted.name());
        }
        List<ExecutableElement> callable = methods.stream().filter(this::accepts).toList();
        if (callable.isEmpty()) {
            return refuseParameters(methods);
        }
        for (ExecutableElement method : callable) {
            String reason = checkCallable(method);
            if (reason != null) {
                return reason;
            }
        }
        return null;
    }

    /** Methods of the wanted name, those of superclasses last, as the driver looks for them. */
    private List<ExecutableElement> methods(TypeElement start) {
        List<ExecutableElement> methods = new ArrayList<>();
        TypeElement type = start;
        while (type != null) {
            for (ExecutableElement method : ElementFilter.methodsIn(type.getEnclosedElements())) {
                if (method.getSimpleName().contentEquals(wanted.name())) {
                    methods.add(method);
                }
            }
            // Of java.lang.Object and of interfaces the superclass is of kind NONE.
            type = type.getSuperclass() instanceof DeclaredType superclass
                    ? (TypeElement) superclass.asElement() : null;
        }
        return methods;
    }

    private boolean accepts(ExecutableElement method) {
        return method.getParameters().size() == wanted.parameters().size()
                && wrongParameter(method) < 0;
    }

    /** Index of the first parameter with a wrong type, or -1. */
    private int wrongParameter(ExecutableElement method) {
        for (int i = 0; i < method.getParameters().size(); i++) {
            TypeMirror type = method.getParameters().get(i).asType();
            if (!rules.isExactly(wanted.parameters().get(i).shape(), type)) {
                return i;
            }
        }
        return -1;
    }

    private String refuseParameters(List<ExecutableElement> methods) {
        int count = wanted.parameters().size();
        ExecutableElement nearest = methods.stream()
                .filter(method -> method.getParameters().size() == count)
                .findFirst()
                .orElse(methods.get(0));
        if (nearest.getParameters().size() != count) {
            String message = "the number of parameters of " + wanted.name() + " is "
                    + nearest.getParameters().size() + ", but " + count + " is expected";
            return signature(start(nearest), message);
        }
        int wrong = wrongParameter(nearest);
        Element parameter = nearest.getParameters().get(wrong);
        String message = "parameter " + parameter.getSimpleName() + " is "
                + rules.name(parameter.asType()) + ", but "
                + wanted.parameters().get(wrong).javaType() + " is expected";
        return signature(start(parameter), message);
    }

    private String checkCallable(ExecutableElement method) {
        TypeMirror returned = method.getReturnType();
        if (!rules.fits(wanted.returns().shape(), returned)) {
            String advice = rules.isNarrowing(wanted.returns().shape(), returned)
                    ? "; convert the value with (long)" : "";
            String message = wanted.name() + " returns " + rules.name(returned) + ", "
                    + misfit(returned) + advice;
            return signature(returnStart(method), message);
        }
        boolean isStatic = method.getModifiers().contains(Modifier.STATIC);
        if (!isStatic && !hasInstances()) {
            return entryPoint(method, wanted.name() + " is not static, and no Solution can be made"
                    + " with new Solution()");
        }
        return null;
    }

    /** A class of the right name is not what is wrong with it. */
    private String misfit(TypeMirror returned) {
        String expected = wanted.returns().javaType();
        if (!("." + rules.name(returned)).endsWith("." + expected)) {
            return "but " + expected + " is expected";
        }
        return rules.isRecord(returned)
                ? "whose components are not of the expected types in the expected order"
                : "which is no record";
    }

    private boolean hasInstances() {
        boolean isClass = entryClass.getKind() == ElementKind.CLASS
                || entryClass.getKind() == ElementKind.RECORD;
        return isClass
                && !entryClass.getModifiers().contains(Modifier.ABSTRACT)
                && ElementFilter.constructorsIn(entryClass.getEnclosedElements()).stream()
                        .anyMatch(constructor -> constructor.getParameters().isEmpty());
    }

    private String entryPoint(Element where, String message) {
        report.add(start(where), message + wanted.advice());
        return "entry_point";
    }

    private String signature(long position, String message) {
        report.add(position, message + wanted.advice());
        return "signature";
    }

    private long returnStart(ExecutableElement method) {
        Tree tree = trees.getTree(method);
        boolean isWritten = tree instanceof MethodTree written && written.getReturnType() != null;
        return isWritten ? start(task, unit, ((MethodTree) tree).getReturnType()) : start(method);
    }

    /** Where an element stands; of what the source does not write, where its class stands. */
    private long start(Element element) {
        Tree tree = trees.getTree(element);
        return start(task, unit, tree == null ? entryTree : tree);
    }

    static long start(JavacTask task, CompilationUnitTree unit, Tree tree) {
        return Trees.instance(task).getSourcePositions().getStartPosition(unit, tree);
    }
}
