package decodejudge;

import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;

/**
 * Tells what a learner's method threw: class, message and the learner's own frames.
 *
 * <p>Exceptions of learners may answer anything to any question, or throw again.
 */
final class Failures {
    private static final int MAX_TEXT = 4000;
    private static final int MAX_NAME = 200;
    private static final int SHOWN_FRAMES = 12;
    private static final byte[] OUT_OF_MEMORY = {'O', '{', '}'};

    private Failures() {}

    /** {@code turn} tells which of many calls it was, and ends the message. */
    static byte[] mismatch(Mismatch mismatch, String turn) {
        return frame('M', "\"reason\":\"" + mismatch.reason() + "\"",
                mismatch.getMessage() + turn);
    }

    /** {@code turn} tells which of many calls it was, and ends the message. */
    static byte[] thrown(Throwable thrown, String turn) {
        try {
            return raised(unwrapped(thrown), turn);
        } catch (OutOfMemoryError full) {
            return OUT_OF_MEMORY;
        }
    }

    private static byte[] raised(Throwable cause, String turn) {
        String message = message(cause);
        boolean isThreadLimit = message.contains("unable to create native thread");
        if (cause instanceof OutOfMemoryError && !isThreadLimit) {
            return OUT_OF_MEMORY;
        }
        String name = className(cause);
        StringBuilder text = new StringBuilder(name);
        if (!message.isEmpty()) {
            text.append(": ").append(message);
        }
        int line = frames(cause, text);
        String fields = "\"error_class\":" + quoted(name) + ",\"line\":" + line;
        return frame('R', fields, text.append(turn).toString());
    }

    /** What reflection and class initialisation have wrapped. */
    private static Throwable unwrapped(Throwable thrown) {
        Throwable cause = thrown;
        while (cause.getClass() == InvocationTargetException.class
                || cause.getClass() == ExceptionInInitializerError.class) {
            if (cause.getCause() == null) {
                break;
            }
            cause = cause.getCause();
        }
        return cause;
    }

    private static String message(Throwable thrown) {
        try {
            String message = thrown.getMessage();
            if (message == null) {
                return "";
            }
            // A ClassCastException tells by which loaders its classes came.
            return cut(message, MAX_TEXT).replace(LearnerLoader.class.getName(), "solution");
        } catch (Throwable again) {
            return "(its text cannot be shown)";
        }
    }

    private static String className(Throwable thrown) {
        String name = thrown.getClass().getName();
        int start = Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1;
        boolean isNamed = start < name.length() && !Character.isDigit(name.charAt(start));
        return cut(isNamed ? name.substring(start) : name, MAX_NAME);
    }

    /** Appends the learner's frames, innermost first; returns the line of the first or 0. */
    private static int frames(Throwable thrown, StringBuilder text) {
        int line = 0;
        int shown = 0;
        try {
            for (StackTraceElement frame : thrown.getStackTrace()) {
                // Neither the JDK's (module) nor the driver's (loader "app").
                boolean isLearners =
                        frame.getModuleName() == null && frame.getClassLoaderName() == null;
                if (!isLearners) {
                    continue;
                }
                line = shown == 0 ? Math.max(0, frame.getLineNumber()) : line;
                text.append("\n  at ").append(cut(frame.getClassName(), MAX_NAME));
                text.append('.').append(cut(frame.getMethodName(), MAX_NAME));
                text.append(" (Solution.java:").append(frame.getLineNumber()).append(')');
                if (++shown == SHOWN_FRAMES) {
                    break;
                }
            }
        } catch (Throwable again) {
            text.append("\n  (its frames cannot be shown)");
        }
        return line;
    }

    private static byte[] frame(char kind, String fields, String message) {
        String text = kind + "{" + fields + ",\"message\":" + quoted(cut(message, MAX_TEXT)) + "}";
        // Lone surrogates become question marks here.
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String quoted(String text) {
        StringBuilder result = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (unit == '"' || unit == '\\') {
                result.append('\\').append(unit);
            } else if (unit < ' ') {
                result.append(unit < 16 ? "\\u000" : "\\u00").append(Integer.toHexString(unit));
            } else {
                result.append(unit);
            }
        }
        return result.append('"').toString();
    }

    private static String cut(String text, int length) {
        return text.length() > length ? text.substring(0, length) : text;
    }
}
