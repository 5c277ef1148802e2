"""Compile logs of C++: the right reason, the learner's places, nothing of the harness."""

import re

import pytest
from cpp_machine import CppMachine, cpp_machine
from hypothesis import given
from hypothesis import strategies as st
from sampling import some_always

from judge.domain.signatures import make_signature
from judge.domain.verdicts import Reason
from judge.harness import cpp_diagnostics, cpp_text
from judge.harness.cpp_source import Place, is_left_open, mention

PICK = make_signature("pick", {"values": "list[float]", "k": "int"}, "int")
ARGS = "(std::vector<double> values, int k)"
ACCEPT = "it has to accept (const std::vector<double>& values, long long k)"
DECLARATION = "long long pick(const std::vector<double>& values, long long k)"
OURS = re.compile(r"/usr|/tmp|judge|__wrap|Harness7f3a|<harness|unit\.cpp|\bextern\b", re.I)


@pytest.fixture(scope="module")
def machine() -> CppMachine:
    return cpp_machine()


# title: source (ARGS stands for the parameters), reason, lines that the log starts with or holds
ILLEGAL: dict[str, tuple[str, Reason, tuple[str, ...]]] = {
    "no function": (
        "int x;\n",
        Reason.ENTRY_POINT,
        (f"solution.cpp:1:1: error: no function {DECLARATION} is defined",),
    ),
    "an empty source": (
        "",
        Reason.ENTRY_POINT,
        (f"solution.cpp:1:1: error: no function {DECLARATION} is defined",),
    ),
    "another name": (
        f"int Pick{ARGS} {{ return 1; }}",
        Reason.ENTRY_POINT,
        (f"solution.cpp:1:1: error: no function {DECLARATION} is defined",),
    ),
    "a method of a class": (
        f"class Solution {{\npublic:\n  int pick{ARGS} {{ return 1; }}\n}};",
        Reason.ENTRY_POINT,
        (
            f"solution.cpp:1:1: error: no function {DECLARATION} is defined",
            "solution.cpp:3:7: note: it has to stand outside of classes and namespaces",
        ),
    ),
    "in a namespace": (
        f"namespace mine {{ int pick{ARGS} {{ return 1; }} }}",
        Reason.ENTRY_POINT,
        (f"solution.cpp:1:1: error: no function {DECLARATION} is defined",),
    ),
    "only declared": (
        f"// pick(\nint pick{ARGS};",
        Reason.ENTRY_POINT,
        ("solution.cpp:2:5: error: `pick()` is declared but not defined",),
    ),
    "too few parameters": (
        '/* pick( */ const char* s = "pick(";\nint pick(int k) { return k; }',
        Reason.SIGNATURE,
        (f"solution.cpp:2:5: error: pick cannot be called with the problem's arguments; {ACCEPT}",),
    ),
    "a vector of another type": (
        "int\npick(const std::vector<float>& values, int k) { return k; }",
        Reason.SIGNATURE,
        (
            "solution.cpp:2:1: error: pick cannot be called with the problem's arguments",
            "'const std::vector<float>&'",
        ),
    ),
    "a reference to another type": (
        "int pick(std::vector<double> values, int& k) { return k; }",
        Reason.SIGNATURE,
        ("solution.cpp:1:5: error: pick cannot be called", "'int&'"),
    ),
    "no function but a variable": (
        "int pick;",
        Reason.SIGNATURE,
        ("solution.cpp:1:5: error: pick cannot be called", "solution.cpp:1:5: note:"),
    ),
    "double for int": (
        f"double pick{ARGS} {{ return values[k]; }}",
        Reason.SIGNATURE,
        (
            "solution.cpp:1:8: error: pick returns double, but long long is expected; "
            "convert it, for example with static_cast<long long>(…)",
        ),
    ),
    "deduced float for int": (
        f"auto pick{ARGS} {{ return values[k] * 1.0f; }}",
        Reason.SIGNATURE,
        ("solution.cpp:1:6: error: pick returns double, but long long is expected; convert it",),
    ),
    "bool for int": (
        f"bool pick{ARGS} {{ return k; }}",
        Reason.SIGNATURE,
        ("solution.cpp:1:6: error: pick returns bool, but long long is expected; a bool is no",),
    ),
    "nothing for int": (
        f"void pick{ARGS} {{}}",
        Reason.SIGNATURE,
        ("solution.cpp:1:6: error: pick returns nothing, but long long is expected",),
    ),
    "text for int": (
        f"std::string pick{ARGS} {{ return {{}}; }}",
        Reason.SIGNATURE,
        ("solution.cpp:1:13: error: pick returns std::string, but long long is expected",),
    ),
    "an unknown name": (
        f"// chú thích 日本\nint pick{ARGS} {{\n\treturn kk; }}",
        Reason.SYNTAX,
        ("solution.cpp:3:16: error: 'kk' was not declared in this scope",),
    ),
    "an unknown name in another script": (
        f"int pick{ARGS} {{ return số; }}",
        Reason.SYNTAX,
        ("'số' was not declared in this scope", "return số; }\n      | "),
    ),
    "a missing semicolon": (
        f"int pick{ARGS} {{\n  int a = k\n  return a;\n}}",
        Reason.SYNTAX,
        ("error: expected ',' or ';' before 'return'",),
    ),
    "a missing semicolon at the end": (
        f"int pick{ARGS} {{ return 1; }}\nint last",
        Reason.SYNTAX,
        ("solution.cpp:2:8: error: the last declaration is not complete",),
    ),
    "an open function": (
        f"int pick{ARGS} {{\n  return 1;\n\n",
        Reason.SYNTAX,
        (
            "solution.cpp:2:11: error: a brace or parenthesis is not closed",
            "solution.cpp:1:45: note: to match this '{'",
        ),
    ),
    "an open class": (
        f"int pick{ARGS} {{ return 1; }}\nstruct A {{",
        Reason.SYNTAX,
        ("solution.cpp:2:10: error: a brace or parenthesis is not closed",),
    ),
    "an open namespace": (
        f"namespace a {{\nint pick{ARGS} {{ return 1; }}",
        Reason.SYNTAX,
        ("solution.cpp:2:57: error: a brace or parenthesis is not closed",),
    ),
    "an open parenthesis": (
        f"int pick{ARGS} {{ return (1 +",
        Reason.SYNTAX,
        ("solution.cpp:1:57: error: a brace or parenthesis is not closed",),
    ),
    "an open linkage": (
        f'extern "C" {{\nint pick{ARGS} {{ return 1; }}',
        Reason.SYNTAX,
        ("solution.cpp:2:57: error: a brace or parenthesis is not closed",),
    ),
    "an open comment": (
        f"int pick{ARGS} {{ return 1; }}\n/* end",
        Reason.SYNTAX,
        ("solution.cpp:2:1: error: unterminated comment",),
    ),
    "an open condition": (
        f"int pick{ARGS} {{ return 1; }}\n#if 1",
        Reason.SYNTAX,
        ("solution.cpp:2:1: error: unterminated #if",),
    ),
    "an error inside the library": (
        f"struct S {{}};\nint pick{ARGS} {{\n  std::vector<S> all;\n"
        "  std::sort(all.begin(), all.end());\n  return 1; }",
        Reason.SYNTAX,
        (
            "solution.cpp:4:12: error: no match for 'operator<' (operand types are 'S' and 'S')\n"
            "    4 |   std::sort(all.begin(), all.end());\n      |            ^",
        ),
    ),
    "an error inside a template": (
        "template <class V> int pick(V values, int k) { return values.nothing(); }",
        Reason.SYNTAX,
        ("solution.cpp:1:62: error: 'class std::vector<double>' has no member named 'nothing'",),
    ),
    "a missing header": (
        f'#include "nothing.h"\nint pick{ARGS} {{ return 1; }}',
        Reason.SYNTAX,
        ("solution.cpp:1:10: error: nothing.h: No such file or directory",),
    ),
    "a file that is no source": (
        f'int a;\n#include "/etc/passwd"\nint pick{ARGS} {{ return 1; }}',
        Reason.SYNTAX,
        ("solution.cpp:2:1: error: the file that is included here does not compile",),
    ),
    "its own unit": (
        f'#include "unit.cpp"\nint pick{ARGS} {{ return 1; }}',
        Reason.SYNTAX,
        ("solution.cpp:1:20: error: #include nested depth 200 exceeds maximum of 200",),
    ),
    "two definitions": (
        f"int pick{ARGS} {{ return 1; }}\nint pick{ARGS} {{ return 2; }}",
        Reason.SYNTAX,
        ("solution.cpp:2:5: error: redefinition of 'int pick(std::vector<double>, int)'",),
    ),
    "a function that is declared only": (
        f"struct S {{ virtual void go(); }};\nint help(int);\nextern int number;\n"
        f"int pick{ARGS} {{ S().go(); return help(k) + number; }}",
        Reason.SYNTAX,
        (
            "solution.cpp:2:5: error: `help()` is declared but not defined",
            "solution.cpp:3:12: error: `number` is declared but not defined",
            "a virtual function of `S` is declared but not defined",
        ),
    ),
    "a name of the C library": (
        f'extern "C" int _start() {{ return 1; }}\nint pick{ARGS} {{ return 1; }}',
        Reason.SYNTAX,
        ("solution.cpp:1:16: error: `_start` is defined by C++ itself",),
    ),
    "a file for the assembler": (
        f'asm(".incbin \\"/etc/nothing\\"");\nint pick{ARGS} {{ return 1; }}',
        Reason.SYNTAX,
        ("solution.cpp:1:1: error: an asm statement cannot be assembled: file not found",),
    ),
    "no assembly": (
        f'int pick{ARGS} {{\n  asm("nonsense");\n  return 1; }}',
        Reason.SYNTAX,
        ("solution.cpp:2:1: error: no such instruction: `nonsense'",),
    ),
    "endless templates": (
        "template <int n> struct T { static const int v = T<n + 1>::v; };\n"
        f"int pick{ARGS} {{ return T<0>::v; }}",
        Reason.SYNTAX,
        ("error: template instantiation depth exceeds maximum of 900",),
    ),
    "too much static data": (
        "static char one[3000000000u], two[3000000000u]; int number = 1;\n"
        f"int pick{ARGS} {{ one[k] = two[k + 1] = 1; return one[3] + two[4] + number++; }}",
        Reason.COMPILE_LIMIT,
        ("solution.cpp: the program has more static data than allowed",),
    ),
    "poison": (
        f"int pick{ARGS} {{ return 1; }}\n#pragma GCC poison int return",
        Reason.SYNTAX,
        ("solution.cpp:2:29: error: ",),
    ),
    "lines that are not there": (
        f'#line 70 "/etc/passwd"\nint pick{ARGS} {{ return a; }}\n#line 1 "<harness-name>"\n?',
        Reason.ENTRY_POINT,
        ("solution.cpp:1:1: error: no function",),
    ),
}


@pytest.mark.parametrize(("source", "reason", "parts"), some_always(ILLEGAL))
def test_illegal_sources(
    machine: CppMachine, source: str, reason: Reason, parts: tuple[str, ...]
) -> None:
    said, log = machine.failure(PICK, source)
    assert (said, log.startswith("solution.cpp:")) == (reason, True), log
    for part in parts:
        assert part in log
    leaks = [match.group() for match in OURS.finditer(log) if match.group() not in source]
    assert leaks == []


@pytest.mark.parametrize(
    ("returns", "kind", "message"),
    [
        (
            "list[int]",
            "std::vector<double>",
            "pick returns std::vector<double>, but std::vector<long long> is expected; convert it",
        ),
        (
            "list[bool]",
            "std::vector<int>",
            "pick returns std::vector<int>, but std::vector<bool> is expected; compare it",
        ),
        (
            "tuple[list[int], int]",
            "std::pair<std::vector<long long>, double>",
            "pick returns std::pair<std::vector<long long>, double>, "
            "but std::pair<std::vector<long long>, long long> is expected; convert it",
        ),
        (
            "tuple[int, int]",
            "std::vector<int>",
            "pick returns std::vector<int>, but std::pair<long long, long long> is expected",
        ),
        (
            "tuple[int, int]",
            "std::tuple<int, int, int>",
            "pick returns std::tuple<int, int, int>, "
            "but std::pair<long long, long long> is expected",
        ),
        (
            "ndarray[f64, 2]",
            "std::vector<double>",
            "pick returns std::vector<double>, but std::vector<std::vector<double>> is expected",
        ),
        ("list[int]", "std::string", "returns std::string, but std::vector<long long> is expected"),
        ("int", "std::optional<int>", "pick returns std::optional<int>, but long long is expected"),
        (
            "dict[int, int]",
            "std::multimap<int, int>",
            "pick returns std::multimap<int, int>, but std::map<long long, long long> is expected",
        ),
        ("str", "std::u16string", "but std::string is expected"),
        ("str", "std::nullptr_t", "but std::string is expected"),
    ],
)
def test_a_wrong_return_type_is_named_with_the_right_one(
    machine: CppMachine, returns: str, kind: str, message: str
) -> None:
    signature = make_signature("pick", {"values": "list[float]", "k": "int"}, returns)
    reason, log = machine.failure(signature, f"{kind} pick{ARGS} {{ return {{}}; }}")
    assert reason is Reason.SIGNATURE
    assert log.startswith(f"solution.cpp:1:{len(kind) + 2}: error: pick returns ")
    assert message in log
    assert not OURS.search(log)


SOURCE = f"#include <algorithm>\nint pick{ARGS} {{\n\treturn judge(k);\n}}\n"
# Logs as other versions of the tools write them.
NEWER_LOG = re.sub(
    "'([^']+)'",
    "\u2018\\1\u2019",
    """\
In file included from /usr/include/c++/15/algorithm:61,
                 from solution.cpp:1:
/usr/include/c++/15/bits/predefined_ops.h: In instantiation of 'constexpr bool less::operator()()':
/usr/include/c++/15/bits/stl_algo.h:1777:14:   required from 'constexpr void std::sort()'
 1777 |           if (__comp(__i, __first))
      |               ~~~~~~^~~~~~~~~~~~~~
solution.cpp:3:24:   required from here
    3 |         return judge(k);
      |                ~~~~~^~~
/usr/include/c++/15/bits/predefined_ops.h:45:23: error: no match for 'operator<'
   45 |       { return *__it1 < *__it2; }
      |                ~~~~~~~^~~~~~~~
  • there are 2 candidates
    • candidate 1: 'bool operator<(const judge&)'
""",
)


class TestOtherVersions:
    def test_quoted_lines_under_what_was_required(self) -> None:
        assert cpp_diagnostics.read_log(PICK, SOURCE, NEWER_LOG) == (
            Reason.SYNTAX,
            "solution.cpp:3:24: error: no match for 'operator<'\n"
            "    3 |         return judge(k);\n"
            "      |                        ^",
        )

    def test_letters_that_a_plain_locale_escapes(self) -> None:
        log = r"solution.cpp:1:1: error: '\U000000e9\U0000611b' and '\U00ffffff', '\U0000006a'"
        _, shown = cpp_diagnostics.read_log(PICK, "int é愛;", log)
        assert r"error: 'é愛' and '\U00ffffff', '\U0000006a'" in shown

    @pytest.mark.parametrize("quotes", ["`{}'", "'{}'"])
    def test_quotes_of_the_linker(self, quotes: str) -> None:
        symbol = quotes.format("judge(int)")
        log = f"/usr/bin/ld: unit.cpp:(.text+0x1): undefined reference to {symbol}\n"
        reason, shown = cpp_diagnostics.read_log(PICK, SOURCE, log)
        assert reason is Reason.SYNTAX
        assert "solution.cpp:3:16: error: `judge()` is declared but not defined" in shown


@pytest.mark.parametrize(
    ("log", "said"),
    [
        ("cc1plus: out of memory allocating 65536 bytes after a total of 8 bytes", "more memory"),
        ("virtual memory exhausted: Cannot allocate memory", "needs more memory"),
        ("g++: fatal error: Killed signal terminated program cc1plus", "too much for the compiler"),
        (
            "g++: fatal error: CPU time limit exceeded signal terminated program cc1plus",
            "takes longer",
        ),
        ("/usr/bin/as: /tmp/a.o: File too large", "becomes larger"),
        (
            "/tmp/a.s: Assembler messages:\n"  # noqa: S108
            "/tmp/a.s: Fatal error: can't write 22 bytes to section .text of /tmp/a.o: "
            "'File too large'",
            "becomes larger",
        ),
        (
            "./a.s: Fatal error: can't write 22 bytes to section .text of ./a.o: 'File too large'",
            "becomes larger",
        ),
        ("{standard input}: Fatal error: can't close a.o: No space left on device", "larger"),
        ("/usr/bin/ld: final link failed: No space left on device", "becomes larger"),
        ("g++: fatal error: File size limit exceeded signal terminated program as", "larger"),
        ("/usr/bin/x86_64-linux-gnu-ld.bfd: memory exhausted", "needs more memory"),
    ],
)
def test_tools_that_gave_up(log: str, said: str) -> None:
    reason, shown = cpp_diagnostics.read_log(PICK, SOURCE, log + "\ncompilation terminated.\n")
    assert (reason, shown.startswith("solution.cpp: ")) == (Reason.COMPILE_LIMIT, True)
    assert said in shown


def test_a_compiler_that_breaks_down_says_where() -> None:
    log = "solution.cpp:3:9: internal compiler error: in tree_check, at tree.cc:1\n0xb /usr/x\n"
    reason, shown = cpp_diagnostics.read_log(PICK, SOURCE, log)
    assert reason is Reason.SYNTAX
    assert shown.startswith("solution.cpp:3:9: error: the compiler breaks down here\n    3 | ")


FRAGMENTS = (
    *("solution.cpp", "<harness-end>", "<harness-call>", "<harness-return>", "/usr/x.h", "x.s"),
    *(":1:1: error: ", ":3:9: note: ", ":2:1:   required from here", ":7: Error: ", ":9:9: "),
    *("In file included from ", "internal compiler error", "static assertion failed: other type"),
    *("[with Want = a; Got = ", "]':", "undefined reference to `f", "'", "cc1plus: "),
    *("\n", "\n", " before 'extern'", "at end of input", "  1 | x", "      | ^", "\t"),
    *("Harness7f3a", "\u0665", "é"),
)


class TestHostileLogs:
    @given(st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join), st.text(max_size=60))
    def test_any_log_becomes_a_reason_and_a_text_about_the_learners_file(
        self, log: str, source: str
    ) -> None:
        reason, shown = cpp_diagnostics.read_log(PICK, source, log)
        assert reason in set(Reason) - {Reason.NONE}
        assert shown.startswith("solution.cpp")
        assert "Harness7f3a" not in shown

    @pytest.mark.parametrize(
        "log",
        [
            "",
            "\n" * 10,
            "solution.cpp",
            "solution.cpp:1",
            "solution.cpp:99999999999999:1: error: x",
            "/usr/x.h:1:1: error: secret",
            "<harness-end>:1:1: warning: x",
        ],
    )
    def test_a_log_that_says_nothing_still_becomes_a_sentence(self, log: str) -> None:
        reason, shown = cpp_diagnostics.read_log(PICK, SOURCE, log)
        assert (reason, shown) == (
            Reason.SYNTAX,
            "solution.cpp:1:1: error: the source does not compile",
        )

    def test_control_characters_are_replaced(self) -> None:
        log = "solution.cpp:1:2: error: #error \x1b[31mred\x07\r\tend"
        _, shown = cpp_diagnostics.read_log(PICK, SOURCE, log)
        mark = "\N{REPLACEMENT CHARACTER}"
        assert f"#error {mark}[31mred{mark}{mark}\tend" in shown

    def test_words_of_ours_stay_where_they_are_the_learners(self) -> None:
        log = (
            "solution.cpp:3:9: error: 'judge' is not /srv/x/y.h nor Harness7f3a::List"
            " nor decode_judge, <harness-call> or unit.cpp"
        )
        _, shown = cpp_diagnostics.read_log(PICK, SOURCE, log)
        assert "error: 'judge' is not … nor …::List nor …, … or …\n" in shown

    def test_the_log_is_bounded(self) -> None:
        line = "solution.cpp:{}:1: error: " + "ü" * 5000 + "\n" + " " * 9000 + "| x\n"
        log = "".join(line.format(number) for number in range(1, 200))
        _, shown = cpp_diagnostics.read_log(PICK, SOURCE, log)
        assert len(shown.encode()) <= cpp_text.MAX_LOG_BYTES
        assert max(map(len, shown.split("\n"))) <= cpp_text.MAX_LINE + 1
        assert shown.endswith("…")

    @pytest.mark.slow
    def test_thousands_of_symbols_do_not_take_forever(self) -> None:
        line = "unit.cpp:(.text+0x1): undefined reference to `f{}()'\n"
        log = "".join(line.format(number) for number in range(4_000))
        reason, shown = cpp_diagnostics.read_log(PICK, "int f0();\n" * 3000, log)
        assert reason is Reason.SYNTAX
        assert "solution.cpp:1:5: error: `f0()` is declared but not defined" in shown
        assert "solution.cpp:1:1: error: `f1()` is declared but not defined" in shown

    def test_what_is_said_again_and_again_is_shown_once(self) -> None:
        log = "solution.cpp:3:9: error: again\n" * 1000
        _, shown = cpp_diagnostics.read_log(PICK, SOURCE, log)
        assert shown.count("again") == 1

    @pytest.mark.parametrize(
        "piece",
        ['\\"', " ", "a", "[with ", "'", "/", "/a", ":", "judge", "> ", 'R"(', "/*", "\\", '"'],
    )
    def test_no_text_takes_more_than_linear_time(self, piece: str) -> None:
        log = f"solution.cpp:1:1: error: {piece * 100_000}\n{piece * 100_000}\n" * 2
        source = piece * 60_000
        _, shown = cpp_diagnostics.read_log(PICK, source, log)
        assert shown


class TestPlaces:
    def test_names_in_comments_and_literals_are_not_mentioned(self) -> None:
        source = (
            '// pick(1)\\\n pick(2)\n/* pick(3) */ "pick(4)" \'p\' R"x(pick(5) )" pick(6))x" '
            "1'000'000 spick(7) pick /* here */ (8)"
        )
        line = source.split("\n")[2]
        assert mention("pick", source) == Place(3, line.index("pick /*") + 1)

    def test_a_name_without_a_parenthesis_will_do(self) -> None:
        assert mention("pick", "auto\n  pick = [] {};") == Place(2, 3)
        assert mention("pick", "auto other;") is None

    def test_columns_are_those_of_a_terminal(self) -> None:
        # A tab ends at a multiple of 8, a Japanese character takes two columns, a mark none.
        assert mention("pick", "\t日本e\u0302 pick()") == Place(1, 8 + 4 + 1 + 1 + 1)

    def test_brackets_in_literals_are_not_open(self) -> None:
        assert not is_left_open("f('{'); // {\n\"(\";")
        assert is_left_open('f("}"; {')
