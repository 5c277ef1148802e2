package decodejudge;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.util.ElementFilter;

/** Looks for the class that a program starts with: a public one first, then by their order. */
final class MainClass {
    private static final Set<Modifier> OPEN = Set.of(Modifier.PUBLIC, Modifier.STATIC);
    private final JavacTask task;
    private final CompilationUnitTree unit;

    MainClass(JavacTask task, CompilationUnitTree unit) {
        this.task = task;
        this.unit = unit;
    }

    /** The binary name of the class with a main method, or null. */
    String find(List<ClassTree> classes) {
        List<TypeElement> found = new ArrayList<>();
        for (ClassTree tree : classes) {
            TreePath path = new TreePath(new TreePath(unit), tree);
            TypeElement type = (TypeElement) Trees.instance(task).getElement(path);
            if (ElementFilter.methodsIn(type.getEnclosedElements()).stream().anyMatch(this::isMain)) {
                found.add(found.isEmpty() || !isPublic(type) ? found.size() : 0, type);
            }
        }
        return found.isEmpty() ? null : task.getElements().getBinaryName(found.get(0)).toString();
    }

    private static boolean isPublic(TypeElement type) {
        return type.getModifiers().contains(Modifier.PUBLIC);
    }

    private boolean isMain(ExecutableElement method) {
        return method.getSimpleName().contentEquals("main")
                && method.getModifiers().containsAll(OPEN)
                && method.getReturnType().getKind() == TypeKind.VOID
                && method.getParameters().size() == 1
                && method.getParameters().get(0).asType().toString().equals("java.lang.String[]");
    }
}
