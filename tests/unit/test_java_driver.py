"""Java's driver: what is called, what a returned value may be, what is told of failures."""

from typing import Any

import java_machine
import numpy as np
import pytest
from plain_values import plain

from judge.domain.signatures import make_signature
from judge.harness import wire
from judge.harness.replies import Reply, ReplyKind

COUNT = make_signature("count", {"n": "int"}, "int")


@pytest.fixture(scope="module")
def machine() -> java_machine.Machine:
    return java_machine.machine()


def counting(body: str, members: str = "") -> str:
    """A Solution whose body stands in line 3."""
    return f"class Solution {{\n    static long count(long n) {{\n{body}\n    }}\n{members}\n}}\n"


# what it shows, source, value for n = 5
CALLED = {
    "a static method": (counting("return n + 1;"), 6),
    "a private instance method": (
        "class Solution { int x = 2; private Solution() {} private long count(Long n) "
        "{ return x * n; } }",
        10,
    ),
    "an inherited one": (
        "class Base { long count(long n) { return n; } } class Solution extends Base {}",
        5,
    ),
    "the overload that fits": (
        "class Solution { static long count(int n) { return 1; } "
        "static long count(long n) { return 2; } }",
        2,
    ),
    "in a package": ("package a.b; class Solution { static long count(long n) { return 3; } }", 3),
    "classes named like the driver's": (
        "package decodejudge; class Driver { static long x = 4; } class Call {} class Input {} "
        "class Solution { static long count(long n) { return Driver.x; } }",
        4,
    ),
    "lambdas, streams, records, a nested class": (
        "import java.util.stream.*; class Solution { record P(long x) {} static class Q { long y; }"
        "static long count(long n) { Q q = new Q(); LongStream.range(0, n).mapToObj(P::new)"
        '.sorted((a, b) -> Long.compare(b.x(), a.x())).forEach(p -> q.y = q.y * 10 + p.x()); '
        "return q.y; } }",
        43210,
    ),
    "names beyond ASCII": (
        "class Solution { static class Đồ { long số = 7; } "
        "static long count(long n) { return new Đồ().số; } }",
        7,
    ),
    "a stack as deep as the problem": (
        counting("return deep(100_000);", "static long deep(long n) { return n == 0 ? 0 : 1 + "
                 "deep(n - 1); }"),
        100_000,
    ),
    "an empty standard input": (counting('try { return System.in.read(); } catch '
                                         '(java.io.IOException e) { return 0; }'), -1),
    "the driver out of reach by name": (
        counting('try { Class.forName("decodejudge.Driver"); return 1; } '
                 "catch (ClassNotFoundException e) { return 2; }"),
        2,
    ),
    "a hook that never ends": (
        counting("Runtime.getRuntime().addShutdownHook(new Thread(() -> { while (true) {} }));"
                 "return 8;"),
        8,
    ),
    "a thread that never ends": (
        counting("new Thread(() -> { while (true) Thread.onSpinWait(); }).start(); return 9;"),
        9,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("source", "value"), CALLED.values(), ids=CALLED.keys())
def test_the_method_is_called(machine: java_machine.Machine, source: str, value: int) -> None:
    run = machine.run(COUNT, source, {"n": 5})
    assert run.reply == Reply(ReplyKind.VALUE, payload=wire.encode(COUNT.returns, value))
    assert run.status == 0


RECORDS = "record R(Object a, Object b) {} record S(Object a) {}"
# Several returned values in one run: return types and Java expressions, what they count as.
TAKEN: list[tuple[str, str, Any]] = [
    ("int", "(byte) 3", 3),
    ("int", "(short) -3", -3),
    ("int", "Integer.valueOf(3)", 3),
    ("float", "3", 3.0),
    ("float", "0.5f", 0.5),
    ("float", "Long.MAX_VALUE", 2.0**63),
    ("str", '"あ😀"', "あ😀"),
    ("list[int]", "new int[] {1, -1}", [1, -1]),
    ("list[int]", "java.util.List.of(1, 2L, (short) 3)", [1, 2, 3]),
    ("list[int]", "new Object[] {1, 2L}", [1, 2]),
    ("list[float]", "new long[] {1}", [1.0]),
    ("list[bool]", "new boolean[] {true}", [True]),
    ("list[list[int]]", "java.util.List.of(new int[0], java.util.List.of(1))", [[], [1]]),
    ("tuple[int, str]", 'new R(1, "x")', (1, "x")),
    ("optional[int]", "null", None),
    ("optional[list[int]]", "new long[] {1}", [1]),
    ("list[optional[int]]", "new Integer[] {1, null}", [1, None]),
    ("dict[str, int]", 'java.util.Map.of("a", 1)', {"a": 1}),
    ("dict[int, optional[float]]", "java.util.Collections.singletonMap(1, null)", {1: None}),
    ("ndarray[f64, 2]", "java.util.List.of(new float[] {1}, new int[] {2})", [[1.0], [2.0]]),
    ("ndarray[f32, 1]", "new double[] {0.5}", np.array([0.5], "<f4")),
    ("ndarray[bool, 1]", "new Boolean[] {true}", np.array([True])),
    ("ndarray[f64, 2]", "new double[2][0]", np.zeros((2, 0))),
]


def test_what_means_the_same_is_taken(machine: java_machine.Machine) -> None:
    kinds = ", ".join(kind for kind, _, _ in TAKEN)
    signature = make_signature("count", {"n": "int"}, f"tuple[{kinds}]")
    components = ", ".join(f"Object v{index}" for index in range(len(TAKEN)))
    source = (
        f"class Solution {{ {RECORDS} record All({components}) {{}}\n"
        f"static All count(long n) {{ return new All({', '.join(java for _, java, _ in TAKEN)});"
        "} }"
    )
    run = machine.run(signature, source, {"n": 1})
    assert run.reply.kind is ReplyKind.VALUE, run
    returned = wire.decode(signature.returns, run.reply.payload)
    assert isinstance(returned, tuple)
    for (kind, _, value), got in zip(TAKEN, returned, strict=True):
        expected = np.array(value) if kind.startswith("ndarray") else value
        assert plain(got) == plain(expected), kind


TYPE, SHAPE = "wrong_type", "wrong_shape"
# return type, Java expression, reason, message behind "return value"
REFUSED = [
    ("int", "null", TYPE, ": expected long, got null"),
    ("int", "1.0", TYPE, ": expected long, got Double (1.0); write (long)"),
    ("int", "true", TYPE, ": expected long, got Boolean (true)"),
    ("int", "'a'", TYPE, ": expected long, got Character (a)"),
    ("int", "java.math.BigInteger.ONE", TYPE, ": expected long, got BigInteger"),
    ("bool", "1", TYPE, ": expected boolean, got Integer (1)"),
    ("str", "new StringBuilder()", TYPE, ": expected String, got StringBuilder"),
    ("str", r'"\ud800"', TYPE, ": expected String, got text with a lone surrogate"),
    ("list[int]", "new java.util.HashSet<Long>()", TYPE, ": expected an array, got HashSet"),
    ("list[list[int]]", "new Object[] {new int[0], new Object[] {1, null}}", TYPE,
     "[1][1]: expected long, got null"),
    ("tuple[list[int], int]", "new R(new Object[] {1.5}, 1)", TYPE,
     ".a[0]: expected long, got Double (1.5); write (long)"),
    ("tuple[int, int]", "new S(1)", SHAPE, ": expected a record with 2 components, got one with 1"),
    ("tuple[int, int]", "new long[] {1, 2}", TYPE, ": expected a record with 2 components, "
     "got long[]"),
    ("dict[str, int]", "java.util.Map.of(1, 1)", TYPE, " key: expected String, got Integer (1)"),
    ("dict[str, int]", 'java.util.Map.of("a", "b")', TYPE, "[a]: expected long, got String (b)"),
    ("dict[int, int]", "java.util.Map.of(1, 1, 1L, 2)", TYPE,
     ": expected Map, got the key 1 twice"),
    ("ndarray[f64, 2]", "new double[][] {{1}, {1, 2}}", SHAPE,
     "[1]: expected an array of 2 dimensions, got rows of different lengths"),
    ("ndarray[f64, 2]", "new double[0][]", SHAPE,
     ": expected an array of 2 dimensions, got one without rows"),
    ("ndarray[f64, 2]", "new double[] {1}", TYPE, "[0]: expected an array, got Double (1.0)"),
]  # fmt: skip


@pytest.mark.parametrize(("returns", "java", "reason", "message"), REFUSED)
def test_what_does_not_is_a_mismatch_with_its_path(
    machine: java_machine.Machine, returns: str, java: str, reason: str, message: str
) -> None:
    signature = make_signature("count", {"n": "int"}, returns)
    source = f"class Solution {{ {RECORDS} static Object count(long n) {{ return {java}; }} }}"
    reply = machine.run(signature, source, {"n": 1}).reply
    assert reply.kind is ReplyKind.MISMATCH
    assert (reply.reason, reply.message) == (reason, f"return value{message}")


# body in line 3, exception's class, its message behind the class
RAISED = [
    ("return 1 / (n - 5);", "ArithmeticException", ": / by zero"),
    ("int[] items = new int[3]; return items[(int) n];", "ArrayIndexOutOfBoundsException",
     ": Index 5 out of bounds for length 3"),
    ("String text = null; return text.length();", "NullPointerException",
     ': Cannot invoke "String.length()" because "text" is null'),
    ("throw new IllegalStateException();", "IllegalStateException", ""),
    (r'throw new Error("a\"\\\n\u0001");', "Error", ': a"\\\n\x01'),
    ('throw new OutOfMemoryError("unable to create native thread");', "OutOfMemoryError",
     ": unable to create native thread"),
    ("Object x = new int[0]; return ((Solution) x).hashCode();", "ClassCastException", None),
    ("class Own extends Exception {} class Deep { void f() throws Own { throw new Own(); } } "
     "try { new Deep().f(); } catch (Own e) { throw new Error(e); } return 1;", "Error",
     ": Solution$1Own"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "name", "text"), RAISED)
def test_an_exception_is_told_with_the_learners_frames(
    machine: java_machine.Machine, body: str, name: str, text: str | None
) -> None:
    reply = machine.run(COUNT, counting(body), {"n": 5}).reply
    assert (reply.kind, reply.error_class, reply.line) == (ReplyKind.RAISED, name, 3)
    frame = "\n  at Solution.count (Solution.java:3)"
    assert reply.message.startswith(name)
    assert frame in reply.message
    assert "decodejudge" not in reply.message
    if text is not None:
        assert reply.message == name + text + frame


class TestFailures:
    def test_frames_of_the_jdk_are_left_out(self, machine: java_machine.Machine) -> None:
        body = "Long[] a = {1L, 2L};\njava.util.Arrays.sort(a, (x, y) ->\n1 / 0); return 1;"
        reply = machine.run(COUNT, counting(body), {"n": 5}).reply
        assert reply.line == 5
        assert reply.message == (
            "ArithmeticException: / by zero\n"
            "  at Solution.lambda$count$0 (Solution.java:5)\n"
            "  at Solution.count (Solution.java:4)"
        )

    def test_a_class_that_cannot_be_initialised(self, machine: java_machine.Machine) -> None:
        source = counting("return 1;", 'static int x = Integer.parseInt("");')
        reply = machine.run(COUNT, source, {"n": 5}).reply
        assert (reply.error_class, reply.line) == ("NumberFormatException", 5)
        assert reply.message.endswith("\n  at Solution.<clinit> (Solution.java:5)")

    def test_a_constructor_that_throws(self, machine: java_machine.Machine) -> None:
        source = (
            "class Solution {\nSolution() { throw new Error(); }\n"
            "long count(long n) { return 1; } }"
        )
        reply = machine.run(COUNT, source, {"n": 5}).reply
        assert (reply.error_class, reply.line) == ("Error", 2)

    def test_a_stack_overflow_shows_twelve_frames(self, machine: java_machine.Machine) -> None:
        reply = machine.run(COUNT, counting("return count(n + 1) + 1;"), {"n": 5}).reply
        assert (reply.kind, reply.error_class) == (ReplyKind.RAISED, "StackOverflowError")
        frames = "\n  at Solution.count (Solution.java:3)" * 12
        assert reply.message == f"StackOverflowError{frames}"

    @pytest.mark.parametrize(
        "body",
        [
            "java.util.List<long[]> all = new java.util.ArrayList<>();\n"
            "while (true) all.add(new long[1 << 20]);",
            "return new byte[Integer.MAX_VALUE].length;",
            "return java.nio.ByteBuffer.allocateDirect(1 << 30).get();",
        ],
    )
    def test_too_much_memory(self, machine: java_machine.Machine, body: str) -> None:
        assert machine.run(COUNT, counting(body), {"n": 5}).reply == Reply(ReplyKind.OUT_OF_MEMORY)

    def test_a_result_that_does_not_fit_into_memory(self, machine: java_machine.Machine) -> None:
        signature = make_signature("count", {"n": "int"}, "list[float]")
        source = "class Solution { static double[] count(long n) { return new double[1 << 24]; } }"
        run = machine.run(signature, source, {"n": 5}, flags=["-Xmx160m"])
        assert run.reply.kind is ReplyKind.OUT_OF_MEMORY

    def test_an_exception_may_lie_and_throw(self, machine: java_machine.Machine) -> None:
        hostile = (
            "static class Bad extends RuntimeException {\n"
            "public String getMessage() { throw this; }\n"
            "public String toString() { throw this; }\n"
            "public Throwable getCause() { return this; }\n"
            "public StackTraceElement[] getStackTrace() { throw this; } }"
        )
        reply = machine.run(COUNT, counting("throw new Bad();", hostile), {"n": 5}).reply
        assert reply == Reply(
            ReplyKind.RAISED,
            message="Bad: (its text cannot be shown)\n  (its frames cannot be shown)",
            error_class="Bad",
        )

    def test_a_long_message_is_cut_and_a_lone_surrogate_replaced(
        self, machine: java_machine.Machine
    ) -> None:
        body = r'throw new Error("\ud800" + "あ".repeat(100_000));'
        frame = machine.run(COUNT, counting(body), {"n": 5}).frame
        assert len(frame) < 13_000
        assert "Error: ?あ" in frame.decode()

    def test_a_list_that_throws(self, machine: java_machine.Machine) -> None:
        signature = make_signature("count", {"n": "int"}, "list[int]")
        source = (
            "class Solution extends java.util.AbstractList<Long> {\n"
            "public int size() { return 3; }\n"
            "public Long get(int index) { return 1L / (1 - index); }\n"
            "Object count(long n) { return this; } }"
        )
        reply = machine.run(signature, source, {"n": 5}).reply
        assert (reply.error_class, reply.line) == ("ArithmeticException", 3)


class TestOutput:
    def test_prints_are_utf_8_and_come_out_before_the_reply(
        self, machine: java_machine.Machine
    ) -> None:
        body = 'System.out.print("chào あ😀"); System.err.println("lỗi"); return 1;'
        run = machine.run(COUNT, counting(body), {"n": 5})
        assert (run.out, run.err) == ("chào あ😀", "lỗi\n")

    def test_prints_before_an_exception_are_kept(self, machine: java_machine.Machine) -> None:
        run = machine.run(COUNT, counting('System.out.print("a"); throw new Error();'), {"n": 5})
        assert (run.reply.kind, run.out) == (ReplyKind.RAISED, "a")

    @pytest.mark.parametrize("status", [0, 3])
    def test_system_exit_gives_no_reply_but_keeps_the_prints(
        self, machine: java_machine.Machine, status: int
    ) -> None:
        body = f'System.out.print("a"); System.exit({status}); return 1;'
        run = machine.run(COUNT, counting(body), {"n": 5})
        assert (run.frame, run.out, run.status) == (b"", "a", status)

    def test_halt_gives_no_reply(self, machine: java_machine.Machine) -> None:
        run = machine.run(COUNT, counting("Runtime.getRuntime().halt(4); return 1;"), {"n": 5})
        assert (run.frame, run.status) == (b"", 4)
