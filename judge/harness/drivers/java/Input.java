package decodejudge;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Reads the judge's little-endian bytes; they are trusted, a short read is the judge's fault. */
final class Input {
    private final byte[] bytes;
    private final ByteBuffer buffer;

    Input(byte[] bytes) {
        this.bytes = bytes;
        this.buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    int count() {
        return buffer.getInt();
    }

    boolean flag() {
        return buffer.get() != 0;
    }

    long integer() {
        return buffer.getLong();
    }

    double number() {
        return buffer.getDouble();
    }

    float single() {
        return buffer.getFloat();
    }

    String text() {
        int length = count();
        String text = new String(bytes, buffer.position(), length, StandardCharsets.UTF_8);
        buffer.position(buffer.position() + length);
        return text;
    }

    /** All that is left, as a stream. */
    InputStream rest() {
        return new ByteArrayInputStream(bytes, buffer.position(), buffer.remaining());
    }

    byte[] bytes() {
        byte[] part = new byte[count()];
        buffer.get(part);
        return part;
    }

    long[] integers(int count) {
        long[] items = new long[count];
        buffer.asLongBuffer().get(items);
        buffer.position(buffer.position() + Long.BYTES * count);
        return items;
    }

    double[] numbers(int count) {
        double[] items = new double[count];
        buffer.asDoubleBuffer().get(items);
        buffer.position(buffer.position() + Double.BYTES * count);
        return items;
    }
}
