package decodejudge;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import javax.tools.Diagnostic;

/** Writes errors the way javac does, about the learner's file and with bounded length. */
final class Report {
    static final String FILE_NAME = "Solution.java";
    private static final int MAX_BYTES = 8192;
    private static final int MAX_SOURCE_LINE = 200;
    private static final int MAX_MESSAGE = 1000;
    private final String source;
    private final StringBuilder text = new StringBuilder();

    Report(String source) {
        this.source = source;
    }

    boolean isEmpty() {
        return text.length() == 0;
    }

    void add(Diagnostic<?> diagnostic) {
        String message = diagnostic.getMessage(Locale.ENGLISH);
        // Nobody who reads this can give javac a flag.
        add(diagnostic.getPosition(), message.replaceAll("\\s*\\(use --?[a-z][^)]*\\)", ""));
    }

    /** One error; a message's first line stands before the source line, the others behind it. */
    void add(long position, String message) {
        if (text.length() > MAX_BYTES) {
            return;
        }
        // An error without a position, or at the end of the file, belongs to the last character.
        int at = (int) Math.max(0, Math.min(position, source.length() - 1L));
        int start = lineStart(at);
        String shown = message.length() > MAX_MESSAGE ? message.substring(0, MAX_MESSAGE) : message;
        String[] parts = shown.split("\n", 2);
        text.append(FILE_NAME).append(':').append(lineNumber(at));
        text.append(':').append(source.codePointCount(start, at) + 1);
        text.append(": error: ").append(parts[0]).append('\n');
        addSourceLine(start, at);
        if (parts.length > 1) {
            text.append(parts[1]).append('\n');
        }
    }

    private void addSourceLine(int start, int at) {
        int end = at;
        while (end < source.length() && !isLineEnd(source.charAt(end))) {
            end++;
        }
        if (end == start || end - start > MAX_SOURCE_LINE) {
            return;
        }
        text.append(source, start, end).append('\n');
        for (int i = start; i < at; i++) {
            text.append(source.charAt(i) == '\t' ? '\t' : ' ');
        }
        text.append("^\n");
    }

    private int lineStart(int at) {
        int start = at;
        while (start > 0 && !isLineEnd(source.charAt(start - 1))) {
            start--;
        }
        return start;
    }

    private int lineNumber(int at) {
        int line = 1;
        for (int i = 0; i < at; i++) {
            char unit = source.charAt(i);
            boolean isFirstOfTwo = unit == '\r' && source.charAt(i + 1) == '\n';
            line += isLineEnd(unit) && !isFirstOfTwo ? 1 : 0;
        }
        return line;
    }

    private static boolean isLineEnd(char unit) {
        return unit == '\n' || unit == '\r';
    }

    /** The report in UTF-8, cut between two characters. */
    byte[] toBytes() {
        byte[] bytes = text.toString().stripTrailing().getBytes(StandardCharsets.UTF_8);
        int size = Math.min(bytes.length, MAX_BYTES);
        while (size < bytes.length && (bytes[size] & 0xC0) == 0x80) {
            size--;
        }
        return Arrays.copyOf(bytes, size);
    }
}
