package decodejudge;

import java.util.ArrayList;
import java.util.List;

/**
 * A type of the judge's signature grammar, read from its text.
 *
 * <p>Owns the grammar only: {@link Arguments} and {@link Results} know the bytes, {@link
 * EntryPoint} the Java types. Names of a tuple's parts mean nothing here. An {@code ndarray[f64,
 * 2]} becomes an ARRAY of ARRAY of FLOAT, an f32 element is SINGLE.
 */
final class Shape {
    enum Kind { INT, FLOAT, SINGLE, BOOL, STR, LIST, TUPLE, OPTIONAL, DICT, ARRAY }

    final Kind kind;
    final Shape[] parts;

    private Shape(Kind kind, Shape... parts) {
        this.kind = kind;
        this.parts = parts;
    }

    /** What a list, array or optional holds. */
    Shape item() {
        return parts[0];
    }

    static Shape parse(String text) {
        Parser parser = new Parser(text);
        Shape shape = parser.shape();
        if (parser.at != text.length()) {
            throw new IllegalArgumentException(text);
        }
        return shape;
    }

    private static final class Parser {
        private final String text;
        private int at;

        Parser(String text) {
            this.text = text;
        }

        Shape shape() {
            String word = word();
            if (is(':')) {
                at++;
                return shape();
            }
            return switch (word) {
                case "int", "i64" -> new Shape(Kind.INT);
                case "float", "f64" -> new Shape(Kind.FLOAT);
                case "f32" -> new Shape(Kind.SINGLE);
                case "bool" -> new Shape(Kind.BOOL);
                case "str" -> new Shape(Kind.STR);
                case "list" -> new Shape(Kind.LIST, parts());
                case "tuple" -> new Shape(Kind.TUPLE, parts());
                case "optional" -> new Shape(Kind.OPTIONAL, parts());
                case "dict" -> new Shape(Kind.DICT, parts());
                case "ndarray" -> array();
                default -> throw new IllegalArgumentException(text);
            };
        }

        private Shape[] parts() {
            List<Shape> parts = new ArrayList<>();
            do {
                at++;
                parts.add(shape());
            } while (is(','));
            close();
            return parts.toArray(new Shape[0]);
        }

        private Shape array() {
            at++;
            Shape shape = shape();
            at++;
            for (int left = Integer.parseInt(word()); left > 0; left--) {
                shape = new Shape(Kind.ARRAY, shape);
            }
            close();
            return shape;
        }

        private String word() {
            while (is(' ')) {
                at++;
            }
            int start = at;
            while (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || is('_'))) {
                at++;
            }
            return text.substring(start, at);
        }

        private boolean is(char expected) {
            return at < text.length() && text.charAt(at) == expected;
        }

        private void close() {
            if (!is(']')) {
                throw new IllegalArgumentException(text);
            }
            at++;
        }
    }
}
