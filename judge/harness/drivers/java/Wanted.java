package decodejudge;

import java.util.ArrayList;
import java.util.List;

/**
 * The method that a problem asks for; without a name it asks for a program.
 *
 * @param declaration what the learner should write, records first, one line each
 */
record Wanted(String name, String declaration, Part returns, List<Part> parameters) {
    /** A parameter or the return value; {@code javaType} is how the learner writes the type. */
    record Part(Shape shape, String javaType) {}

    /** Whether a program is asked for, which has no other method to look for than main. */
    boolean isProgram() {
        return name.isEmpty();
    }

    static Wanted read(Input input) {
        String name = input.text();
        String declaration = input.text();
        List<Part> parts = new ArrayList<>();
        for (int left = input.count(); left > 0; left--) {
            parts.add(new Part(Shape.parse(input.text()), input.text()));
        }
        if (name.isEmpty()) {
            return new Wanted(name, declaration, null, parts);
        }
        return new Wanted(name, declaration, parts.get(0), parts.subList(1, parts.size()));
    }

    /** The advice at the end of a message. */
    String advice() {
        return "\nwrite:\n    " + declaration.replace("\n", "\n    ");
    }
}
