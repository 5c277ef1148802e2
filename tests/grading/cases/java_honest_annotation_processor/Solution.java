import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.lang.model.element.TypeElement;

@SupportedAnnotationTypes("*")
class Evil extends AbstractProcessor {
    static {
        System.exit(3);
    }

    @Override
    public boolean process(Set<? extends TypeElement> found, RoundEnvironment round) {
        System.exit(4);
        return true;
    }
}

@Deprecated
class Solution {
    @interface Mark {
        String value() default "";
    }

    @Mark("x")
    static long pair_sum(long a, long b) {
        return a + b;
    }
}
