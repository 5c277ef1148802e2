package decodejudge;

/** A returned value that is not of the declared type; parts of the path are added on the way up. */
final class Mismatch extends Exception {
    private static final long serialVersionUID = 1L;
    private final String expected;
    private final String got;
    private final boolean isShape;
    private final StringBuilder path = new StringBuilder();

    private Mismatch(String expected, String got, boolean isShape) {
        super(null, null, false, false);
        this.expected = expected;
        this.got = got;
        this.isShape = isShape;
    }

    static Mismatch type(String expected, String got) {
        return new Mismatch(expected, got, false);
    }

    static Mismatch shape(String expected, String got) {
        return new Mismatch(expected, got, true);
    }

    /** The same, found inside of a part: {@code [3]} or {@code .name}. */
    Mismatch inside(String part) {
        path.insert(0, part);
        return this;
    }

    String reason() {
        return isShape ? "wrong_shape" : "wrong_type";
    }

    @Override
    public String getMessage() {
        return "return value" + path + ": expected " + expected + ", got " + got;
    }
}
