"""Java's compile server: which sources it takes, and what it says about the others."""

import java_machine
import pytest

from judge.domain.signatures import make_signature
from judge.domain.verdicts import Reason
from judge.harness.java_wire import CompileFailure, JavaProgram

ADD = make_signature("add", {"a": "int", "b": "float"}, "int")
SPLIT = make_signature(
    "split",
    {"pairs": "list[tuple[int, float]]", "names": "dict[str, int]"},
    "tuple[kept: list[int], count: int]",
)
ADD_HEAD = "    static long add(long a, double b)"
SPLIT_HEAD = (
    "    record Result(long[] kept, long count) {}\n"
    "    record Result2(long first, double second) {}\n"
    "    static Result split(Result2[] pairs, java.util.Map<String, Long> names)"
)


@pytest.fixture(scope="module")
def machine() -> java_machine.Machine:
    return java_machine.machine()


def within(members: str) -> str:
    return f"class Solution {{\n{members}\n}}\n"


LEGAL = {
    "the starter's form": within("static long add(long a, double b) { return 1; }"),
    "public, in a package": "package a.b;\npublic "
    + within("public static long add(long a, double b) { return 1; }"),
    "boxed parameters": within("static long add(Long a, Double b) { return 1; }"),
    "an int": within("static int add(long a, double b) { return 1; }"),
    "a Short": within("static Short add(long a, double b) { return 1; }"),
    "an Object": within("static Object add(long a, double b) { return 1; }"),
    "a type variable": within("static <T extends Number> T add(long a, double b) { return null; }"),
    "an instance method": within("long add(long a, double b) { return 1; }"),
    "all private": within(
        "private Solution() {}\nprivate long add(long a, double b) { return 1; }"
    ),
    "inherited": "class Base { long add(long a, double b) { return 1; } }\n"
    "class Solution extends Base {}",
    "an interface": "interface Solution { static long add(long a, double b) { return 1; } }",
    "a record": "record Solution() { long add(long a, double b) { return 1; } }",
    "an overload": within(
        "static double add(int a, double b) { return 1; }\n"
        "static long add(long a, double b) { return 1; }"
    ),
    "a main of its own": within(
        "public static void main(String[] arguments) {}\n"
        "static long add(long a, double b) throws Exception { return 1; }"
    ),
    "named like the driver": "package decodejudge;\nclass Driver {}\nclass Call {}\n"
    + within("static long add(long a, double b) { return new Driver().hashCode(); }"),
    "lambdas, streams, records, anonymous classes": "import java.util.stream.*;\n"
    + within(
        "record Pair(long x, double y) {}\n"
        "static long add(long a, double b) {\n"
        "    Runnable r = new Runnable() { public void run() {} };\n"
        "    return LongStream.range(0, a).mapToObj(x -> new Pair(x, b)).count();\n"
        "}"
    ),
    "names and comments beyond ASCII": "// lời giải, 解答\n"
    + within("static long add(long số, double 係数) { long tổng = số; return tổng; }"),
}


@pytest.mark.parametrize("source", LEGAL.values(), ids=LEGAL.keys())
def test_legal_sources_compile(machine: java_machine.Machine, source: str) -> None:
    assert isinstance(machine.compile(ADD, source), JavaProgram)


SPLIT_TYPES = "record P(long a, double b) {}\nrecord R(int[] kept, short count) {}\n"
LEGAL_SPLITS = {
    "records of any name": within(
        SPLIT_TYPES
        + "static R split(P[] pairs, java.util.Map<String, Long> names) { return null; }"
    ),
    "lists in a generic record": "import java.util.*;\n"
    + within(
        "record P(Long a, Double b) {}\nrecord R<T, N>(T kept, N count) {}\n"
        "static R<ArrayList<Integer>, Byte> split(P[] pairs, Map<String, Long> names) "
        "{ return null; }"
    ),
    "a sealed interface of records": within(
        "sealed interface R {}\nrecord A(long[] kept, long count) implements R {}\n"
        "record P(long a, double b) {}\n"
        "static R split(P[] pairs, java.util.Map<String, Long> names) { return null; }"
    ),
}


@pytest.mark.parametrize("source", LEGAL_SPLITS.values(), ids=LEGAL_SPLITS.keys())
def test_legal_tuples_compile(machine: java_machine.Machine, source: str) -> None:
    assert isinstance(machine.compile(SPLIT, source), JavaProgram)


def test_the_entry_class_is_named_with_its_package(machine: java_machine.Machine) -> None:
    program = machine.compile(ADD, LEGAL["public, in a package"])
    assert isinstance(program, JavaProgram)
    assert program.entry == "a.b.Solution"
    assert [name for name, _ in program.classes] == ["a.b.Solution"]


# source, reason, the whole log
REFUSED: dict[str, tuple[str, Reason, str]] = {
    "nothing": (
        "\n",
        Reason.ENTRY_POINT,
        "Solution.java:1:1: error: no class Solution is defined\nwrite:\n"
        "    class Solution {\n        static long add(long a, double b)\n    }",
    ),
    "class Main": (
        "import java.util.*;\n\npublic class Main {\n}\n",
        Reason.ENTRY_POINT,
        "Solution.java:3:1: error: no class Solution is defined; rename Main to Solution\n"
        "public class Main {\n^",
    ),
    "no such method": (
        within("static long sub(long a, double b) { return 1; }"),
        Reason.ENTRY_POINT,
        f"Solution.java:1:1: error: class Solution has no method add\n"
        f"class Solution {{\n^\nwrite:\n{ADD_HEAD}",
    ),
    "no instance": (
        within("Solution(int x) {}\nlong add(long a, double b) { return 1; }"),
        Reason.ENTRY_POINT,
        "Solution.java:3:1: error: add is not static, and no Solution can be made with "
        f"new Solution()\nlong add(long a, double b) {{ return 1; }}\n^\nwrite:\n{ADD_HEAD}",
    ),
    "an abstract class": (
        "abstract class Solution {\nabstract long add(long a, double b);\n}",
        Reason.ENTRY_POINT,
        "Solution.java:2:1: error: add is not static, and no Solution can be made with "
        f"new Solution()\nabstract long add(long a, double b);\n^\nwrite:\n{ADD_HEAD}",
    ),
    "too few parameters": (
        within("static long add(long a) { return 1; }"),
        Reason.SIGNATURE,
        "Solution.java:2:1: error: the number of parameters of add is 1, but 2 is expected"
        f"\nstatic long add(long a) {{ return 1; }}\n^\nwrite:\n{ADD_HEAD}",
    ),
    "an int parameter": (
        within("\tstatic long add(int số, double b) { return 1; }"),
        Reason.SIGNATURE,
        "Solution.java:2:18: error: parameter số is int, but long is expected\n"
        f"\tstatic long add(int số, double b) {{ return 1; }}\n\t{' ' * 16}^\nwrite:\n{ADD_HEAD}",
    ),
    "double where long is due": (
        within("    static double add(long a, double b) { return 1; }"),
        Reason.SIGNATURE,
        "Solution.java:2:12: error: add returns double, but long is expected; convert the value "
        "with (long)\n    static double add(long a, double b) { return 1; }\n"
        f"{' ' * 11}^\nwrite:\n{ADD_HEAD}",
    ),
    "nothing returned": (
        within("static void add(long a, double b) {}"),
        Reason.SIGNATURE,
        "Solution.java:2:8: error: add returns void, but long is expected\n"
        f"static void add(long a, double b) {{}}\n       ^\nwrite:\n{ADD_HEAD}",
    ),
    "a syntax error": (
        within("static long add(long a, double b) {\n\treturn 1\n}"),
        Reason.SYNTAX,
        "Solution.java:3:10: error: ';' expected\n\treturn 1\n\t        ^",
    ),
    "two wrong types": (
        within("static long add(long 数, double b) {\nint x = 数;\nreturn foo();\n}"),
        Reason.SYNTAX,
        "Solution.java:3:9: error: incompatible types: possible lossy conversion from long to int\n"
        "int x = 数;\n        ^\n"
        "Solution.java:4:8: error: cannot find symbol\nreturn foo();\n       ^\n"
        "  symbol:   method foo()\n  location: class Solution",
    ),
    "an open brace": (
        "class Solution {\n",
        Reason.SYNTAX,
        "Solution.java:1:17: error: reached end of file while parsing\n"
        "class Solution {\n                ^",
    ),
    "java.lang": (
        "package java.lang;\n" + within("static long add(long a, double b) { return 1; }"),
        Reason.SYNTAX,
        "Solution.java:1:1: error: package exists in another module: java.base\n"
        "package java.lang;\n^",
    ),
    "the driver": (
        "import decodejudge.Driver;\n" + within("static long add(long a, double b) { return 1; }"),
        Reason.SYNTAX,
        "Solution.java:1:19: error: package decodejudge does not exist\n"
        "import decodejudge.Driver;\n                  ^",
    ),
}


@pytest.mark.parametrize(("source", "reason", "log"), REFUSED.values(), ids=REFUSED.keys())
def test_other_sources_are_refused_with_reason_and_place(
    machine: java_machine.Machine, source: str, reason: Reason, log: str
) -> None:
    assert machine.compile(ADD, source) == CompileFailure(reason, log)


P = "record P(long a, double b) {}\n"
R = "record R(long[] kept, long count) {}\n"
NAMES = "java.util.Map<String, Long> names"
REFUSED_SPLITS = {
    "an int in a parameter's record": (
        f"record P(long a, int b) {{}}\n{R}static R split(P[] pairs, {NAMES}) {{ return null; }}",
        "4:16: error: parameter pairs is Solution.P[], but Result2[] is expected",
    ),
    "a raw map": (
        f"{P}{R}static R split(P[] pairs, java.util.Map names) {{ return null; }}",
        "4:27: error: parameter names is java.util.Map, but java.util.Map<String, Long> is "
        "expected",
    ),
    "doubles in the result": (
        f"{P}record R(double[] k, long n) {{}}\nstatic R split(P[] p, {NAMES}) {{ return null; }}",
        "4:8: error: split returns Solution.R, but Result is expected",
    ),
    "a component too many": (
        f"{P}record R(int[] k, long n, long m) {{}}\n"
        f"static R split(P[] p, {NAMES}) {{ return null; }}",
        "4:8: error: split returns Solution.R, but Result is expected",
    ),
    "a record of that name with its components swapped": (
        f"{P}record Result(long n, long[] k) {{}}\n"
        f"static Result split(P[] p, {NAMES}) {{ return null; }}",
        "4:8: error: split returns Solution.Result, whose components are not of the expected "
        "types in the expected order",
    ),
    "a class of that name": (
        f"{P}static class Result {{ long[] k; long n; }}\n"
        f"static Result split(P[] p, {NAMES}) {{ return null; }}",
        "4:8: error: split returns Solution.Result, which is no record",
    ),
    "a set": (
        f"{P}static java.util.Set<Long> split(P[] pairs, {NAMES}) {{ return null; }}",
        "3:8: error: split returns java.util.Set<Long>, but Result is expected",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("members", "error"), REFUSED_SPLITS.values(), ids=REFUSED_SPLITS.keys())
def test_wrong_tuples_and_maps_are_told_what_to_write(
    machine: java_machine.Machine, members: str, error: str
) -> None:
    failure = machine.compile(SPLIT, within(members))
    assert isinstance(failure, CompileFailure)
    assert failure.reason is Reason.SIGNATURE
    assert failure.log.startswith(f"Solution.java:{error}\n")
    assert failure.log.endswith(f"^\nwrite:\n{SPLIT_HEAD}")


@pytest.mark.parametrize(
    ("returns", "refused"),
    [
        ("float", ["boolean", "char", "String", "double[]"]),
        ("bool", ["int", "String"]),
        ("str", ["char", "StringBuilder", "char[]"]),
        ("list[int]", ["double[]", "boolean[]", "java.util.List<Double>", "long", "long[][]"]),
        ("ndarray[f64, 2]", ["double[]", "String[][]", "java.util.List<double[]>[]"]),
        ("optional[int]", ["double", "void"]),
        ("dict[str, int]", ["java.util.Map<Long, Long>", "java.util.List<String>"]),
    ],
)
def test_what_can_never_be_returned_does_not_compile(
    machine: java_machine.Machine, returns: str, refused: list[str]
) -> None:
    signature = make_signature("f", {"a": "int"}, returns)
    for java_type in refused:
        failure = machine.compile(signature, within(f"static native {java_type} f(long a);"))
        assert isinstance(failure, CompileFailure), java_type
        assert f"error: f returns {java_type}, but" in failure.log


@pytest.mark.parametrize(
    ("returns", "taken"),
    [
        ("float", ["float", "long", "Integer", "Number", "Comparable<?>"]),
        ("str", ["CharSequence"]),
        ("list[int]", ["int[]", "Integer[]", "java.util.List<Integer>", "java.util.Collection<?>"]),
        ("list[float]", ["Object[]", "long[]", "java.util.LinkedList<Double>", "java.util.List"]),
        ("ndarray[f32, 2]", ["double[][]", "java.util.List<float[]>", "java.util.List<?>[]"]),
        ("optional[int]", ["int", "Long", "Object"]),
        ("dict[int, float]", ["java.util.HashMap<Integer, Long>", "Object"]),
    ],
)
def test_what_may_be_right_is_taken(
    machine: java_machine.Machine, returns: str, taken: list[str]
) -> None:
    signature = make_signature("f", {"a": "int"}, returns)
    for java_type in taken:
        program = machine.compile(signature, within(f"static native {java_type} f(long a);"))
        assert isinstance(program, JavaProgram), program


def test_the_log_is_bounded(machine: java_machine.Machine) -> None:
    lines = "".join(f"    {'x' * 150}{index}();\n" for index in range(100))
    failure = machine.compile(ADD, within(f"static long add(long a, double b) {{\n{lines}}}"))
    assert isinstance(failure, CompileFailure)
    assert 4096 < len(failure.log.encode()) <= 8192
    assert failure.log.count(": error: ") <= 20


def test_a_line_that_is_too_long_is_not_shown(machine: java_machine.Machine) -> None:
    failure = machine.compile(ADD, within(f"int x = {'+ ' * 5000};"))
    assert isinstance(failure, CompileFailure)
    assert failure.log == "Solution.java:2:10009: error: illegal start of expression"


def test_a_source_that_breaks_the_compiler_ends_the_server_only(
    machine: java_machine.Machine,
) -> None:
    source = within(f"static long add(long a, double b) {{ return 1{'+1' * 100_000}; }}")
    failure = machine.compile(ADD, source)
    assert failure == CompileFailure(
        Reason.SYNTAX,
        "Solution.java:1:1: error: the program is too complex to be compiled\nclass Solution {\n^",
        ends_server=True,
    )
    assert isinstance(machine.compile(ADD, LEGAL["the starter's form"]), JavaProgram)
