package decodejudge;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing buffer of the judge's little-endian bytes. */
final class Output {
    private ByteBuffer buffer = ByteBuffer.allocate(1024).order(ByteOrder.LITTLE_ENDIAN);

    byte[] toBytes() {
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    int size() {
        return buffer.position();
    }

    void octet(int value) {
        room(1).put((byte) value);
    }

    void count(int value) {
        room(Integer.BYTES).putInt(value);
    }

    int countAt(int position) {
        return buffer.getInt(position);
    }

    /** Corrects a count that stands at an earlier position. */
    void countAt(int position, int value) {
        buffer.putInt(position, value);
    }

    void integer(long value) {
        room(Long.BYTES).putLong(value);
    }

    void number(double value) {
        room(Double.BYTES).putDouble(value);
    }

    void single(float value) {
        room(Float.BYTES).putFloat(value);
    }

    void text(String value) {
        bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    void bytes(byte[] value) {
        count(value.length);
        raw(value);
    }

    void raw(byte[] value) {
        room(value.length).put(value);
    }

    void integers(long[] items) {
        int size = Math.multiplyExact(items.length, Long.BYTES);
        room(size).asLongBuffer().put(items);
        buffer.position(buffer.position() + size);
    }

    void numbers(double[] items) {
        int size = Math.multiplyExact(items.length, Double.BYTES);
        room(size).asDoubleBuffer().put(items);
        buffer.position(buffer.position() + size);
    }

    private ByteBuffer room(int size) {
        if (size > buffer.remaining()) {
            int needed = Math.addExact(buffer.position(), size);
            int doubled = (int) Math.min(Integer.MAX_VALUE - 8L, 2L * buffer.capacity());
            int position = buffer.position();
            byte[] grown = Arrays.copyOf(buffer.array(), Math.max(needed, doubled));
            buffer = ByteBuffer.wrap(grown).order(ByteOrder.LITTLE_ENDIAN).position(position);
        }
        return buffer;
    }
}
