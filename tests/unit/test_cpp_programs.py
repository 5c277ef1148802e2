"""C++ programs of learners: what is legal runs, what it answers is what they returned or threw."""

from typing import Any

import pytest
from cpp_machine import CppMachine, Program, cpp_machine
from sampling import some_always

from judge.domain.signatures import make_signature
from judge.harness.replies import MAX_MESSAGE, ReplyKind

# pick([0.5, 2.0, 1.0], 2) is 1.0 by index, 1 as what most of the sources here return.
PICK = make_signature("pick", {"values": "list[float]", "k": "int"}, "int")
ARGUMENTS: dict[str, Any] = {"values": [0.5, 2.0, 1.0], "k": 2}
BODY = "{ return (long long)values[k]; }"
# Sections of one source each; BODY stands for a body that returns 1.
LEGAL = r"""
== by value
int pick(std::vector<double> values, int k) BODY
== by reference
long long pick(std::vector<double>& values, long long& k) BODY
== by constant reference
long long last;
auto pick(const std::vector<double>& values, const long long& k) -> const long long& {
  last = values[k];
  return last;
}
== using namespace std
#include <vector>
using namespace std;
long long pick(vector<double> values, int k) BODY
== overloads
int pick(int k) { return k; }
int pick(std::vector<int> values, int k);
int pick(const std::vector<double>& values, int k) BODY
== a template
template <class V, class K> auto pick(const V& values, K k) BODY
== a lambda
auto pick = [](const auto& values, auto k) BODY;
== a functor
struct { int operator()(std::vector<double> values, int k) const BODY } pick;
== a pointer
static int f(std::vector<double> values, int k) BODY
int (*pick)(std::vector<double>, int) = f;
== a std::function
std::function<int(std::vector<double>&, int)> pick = [](std::vector<double>& values, int k) BODY;
== static
static int pick(std::vector<double> values, int k) BODY
== in an anonymous namespace
namespace { int pick(std::vector<double> values, int k) BODY }
== in a namespace that is used
namespace mine { int pick(std::vector<double> values, int k) BODY }
using namespace mine;
== a default argument
int pick(std::vector<double> values, int k, int more = 0) BODY
== C linkage
extern "C" int pick(std::vector<double>& values, int k) BODY
== a main
#include <iostream>
int pick(std::vector<double> values, int k) BODY
int main() { int n; std::cin >> n; std::abort(); }
== a static constructor
struct Table { std::vector<int> rows; Table() : rows(3, 1) {} } table;
int pick(std::vector<double>, int k) { return table.rows[k]; }
== a global of a common name
std::vector<double> in, out, result, frame, call, reader;
int count, data, argc, got, arguments;
int pick(std::vector<double> values, int k) BODY
== classes with names of the library
struct string {}; struct vector {}; struct optional {};
struct tuple {}; struct map {}; template <class T> struct pair {};
int pick(const std::vector<double>& values, int k) BODY
== names like ours
namespace harness {} namespace Harness {} struct Program {}; struct Reader {};
enum class Fault {}; struct List {}; struct Mismatch {};
int pick(std::vector<double> values, int k) BODY
== operators for everything
template <class A, class B> int operator,(const A&, const B&);
struct Odd { int* operator&() const; }; template <class T> T* operator&(const T&) = delete;
int pick(std::vector<double> values, int k) BODY
== #define int
#include <bits/stdc++.h>
using namespace std;
#define int long long
int pick(vector<double> values, int k) BODY
signed main() { return 0; }
== macros of keywords
int pick(std::vector<double> values, int k) BODY
#define double float
#define return throw
#define if while
#define main nothing
#define private public
#define std mine
#define auto int
#define char
#define extern
#define namespace class
#define using
#define static_assert(...) error
#define static
#define type kind
#define constexpr
#define decltype(x) x
#define cout x
#define Run x
== a macro for the name
int other(std::vector<double> values, int k) BODY
#define pick other
== a macro with arguments for the name
struct S { int run(std::vector<double> values, int k) BODY } s;
#define pick(values, k) s.run(values, k)
== a comment at the end
int pick(std::vector<double> values, int k) BODY // end
== a backslash at the end
int pick(std::vector<double> values, int k) BODY // end \
== pragmas
#pragma GCC optimize("O3")
#pragma GCC target("avx2")
#include <bits/stdc++.h>
#pragma pack(1)
#pragma once
int pick(std::vector<double> values, int k) BODY
== warnings as errors
#pragma GCC diagnostic error "-Wall"
#pragma GCC diagnostic error "-Wextra"
#pragma GCC diagnostic error "-Wpedantic"
#pragma GCC diagnostic error "-Wconversion"
#pragma GCC diagnostic error "-Wmissing-declarations"
#pragma GCC diagnostic error "-Wsuggest-attribute=noreturn"
static int pick(const std::vector<double>& values, long long k);
int pick(const std::vector<double>& values, long long k) { return int(values[std::size_t(k)]); }
== debug mode
#define _GLIBCXX_DEBUG
#define NDEBUG
#include <vector>
#include <cassert>
int pick(std::vector<double> values, int k) BODY
== names in other scripts
int lấy_số(std::vector<double> 値, int k) { return 値[k]; }
/* chú thích, 注釈 */ int pick(std::vector<double> values, int k) { return lấy_số(values, k); }
== a local namespace for everything
namespace std_ { using namespace std; }
namespace pick_ { int pick = 1; }
int pick(std::vector<double> values, int k) BODY
== tail of a thread
#include <thread>
int pick(std::vector<double> values, int k) {
  std::thread([] { for (;;) {} }).detach();
  return values[k];
}
"""
# What the header with all of the standard library would clash with.
PLAIN = r"""
== own includes
#include <vector>
int pick(std::vector<double> values, int k) BODY
== globals with names of other headers
#include <vector>
using namespace std;
int left, right, hex, dec, plus, minus, sort, link, pipe, abi, next_;
int pick(vector<double> values, int k) { return left + right + (int)values[k]; }
== functions with names of the system
#include <vector>
int read() { return 1; }
int write(int a) { return a; }
int pick(std::vector<double> values, int k) { return read() + write(0); }
== streams
#include <iostream>
#include <vector>
int pick(std::vector<double> values, int k) { std::cout << 7; return values[k]; }
== headers of the system
#include <unistd.h>
#include <cxxabi.h>
int pick(std::vector<double> values, int k) {
  return abi::__cxa_current_exception_type() ? 0 : (int)values[k];
}
"""


@pytest.fixture(scope="module")
def machine() -> CppMachine:
    return cpp_machine()


def sections(text: str) -> dict[str, str]:
    """Sources by the titles that stand over them."""
    parts = (part.split("\n", 1) for part in text.split("\n== ")[1:])
    return {title: source.removesuffix("\n").replace("BODY", BODY) for title, source in parts}


@pytest.mark.parametrize("source", some_always(sections(LEGAL)))
def test_legal_sources_are_called(machine: CppMachine, source: str) -> None:
    assert machine.program(PICK, source).value(**ARGUMENTS) == 1


@pytest.mark.parametrize("source", sections(PLAIN).values(), ids=sections(PLAIN))
def test_the_plain_header_leaves_most_names_to_the_learner(
    machine: CppMachine, source: str
) -> None:
    assert machine.program(PICK, source, "plain").value(**ARGUMENTS) == 1


def test_whatever_holds_the_same_may_be_returned(machine: CppMachine) -> None:
    expected: dict[str, tuple[str, str, Any]] = {
        # problem's type, returned expression, value
        "a": ("int", "std::size_t(7)", 7),
        "b": ("int", "short(-7)", -7),
        "c": ("int", "static_cast<unsigned char>(200)", 200),
        "d": ("int", "(__int128(1) << 62)", 2**62),
        "e": ("float", "1.5f", 1.5),
        "f": ("float", "3", 3.0),
        "g": ("float", "0.5L", 0.5),
        "h": ("str", '"xin chào"', "xin chào"),
        "i": ("str", 'std::string_view("日本")', "日本"),
        "j": ("list[int]", "std::vector<int>{1, 2}", [1, 2]),
        "k": ("list[int]", "std::deque<unsigned>{1, 2}", [1, 2]),
        "l": ("list[int]", "std::set<int>{2, 1}", [1, 2]),
        "m": ("list[int]", "std::array<long, 2>{1, 2}", [1, 2]),
        "n": ("list[int]", "std::forward_list<int>{1, 2}", [1, 2]),
        "o": ("list[float]", "std::valarray<double>{1.0, 2.0}", [1.0, 2.0]),
        "p": ("list[bool]", "std::array<bool, 2>{true, false}", [True, False]),
        "q": ("list[tuple[int, str]]", 'std::map<int, const char*>{{1, "a"}}', [(1, "a")]),
        "r": ("tuple[int, float]", "std::make_tuple(1, 2)", (1, 2.0)),
        "s": ("tuple[int, int]", "std::array<int, 2>{1, 2}", (1, 2)),
        "t": ("optional[int]", "5", 5),
        "u": ("optional[int]", "std::nullopt", None),
        "v": ("optional[float]", "std::optional<int>(2)", 2.0),
        "w": (
            "dict[str, list[int]]",
            'std::unordered_map<std::string, std::set<int>>{{"a", {1}}}',
            {"a": [1]},
        ),
    }
    kinds = ", ".join(kind for kind, _, _ in expected.values())
    signature = make_signature("give", {"seed": "int"}, f"tuple[{kinds}]")
    values = ", ".join(source for _, source, _ in expected.values())
    source = f"auto give(int) {{ return std::make_tuple({values}); }}"
    returned = machine.program(signature, source).value(seed=0)
    assert dict(zip(expected, returned, strict=True)) == {
        key: value for key, (_, _, value) in expected.items()
    }


def test_nested_ranges_become_arrays(machine: CppMachine) -> None:
    signature = make_signature(
        "give", {"seed": "int"}, "tuple[ndarray[f64, 2], ndarray[f32, 1], ndarray[i64, 2]]"
    )
    source = """auto give(int) {
      std::array<std::array<int, 2>, 2> square{{{1, 2}, {3, 4}}};
      return std::tuple(square, std::list<double>{0.1}, std::vector<std::set<short>>{{1}, {2}});
    }"""
    square, flat, column = machine.program(signature, source).value(seed=0)
    assert (square.tolist(), column.tolist()) == ([[1.0, 2.0], [3.0, 4.0]], [[1], [2]])
    assert (str(flat.dtype), flat.tolist()) == ("float32", [0.10000000149011612])


@pytest.fixture(scope="module")
def probe(machine: CppMachine) -> Program:
    signature = make_signature(
        "probe",
        {"k": "int"},
        "tuple[int, str, ndarray[f64, 2], dict[str, list[optional[int]]], list[str]]",
    )
    return machine.program(
        signature,
        r"""
        using Wide = unsigned long long;
        std::tuple<Wide, std::string, std::vector<std::vector<float>>,
                   std::map<std::string, std::vector<std::optional<Wide>>>,
                   std::array<const char*, 2>>
        probe(int k) {
          const Wide big = k == 1 || k == 7 ? 1ull << 63 : 0;
          std::string text = k == 2 ? "\xff" : k == 3 ? "\xed\xa0\x80" : "\xf4\x8f\xbf\xbf";
          std::vector<std::vector<float>> rows{{1, 2}, {3, 4}};
          if (k == 4) rows.push_back({5});
          if (k == 5) rows.clear();
          if (k == 6) rows = {{}, {}};
          return {k == 1 ? big : 3, text, rows, {{"a", {std::nullopt, big}}},
                  {"x", k == 8 ? nullptr : "y"}};
        }
        """,
    )


class TestMismatch:
    @pytest.mark.parametrize(
        ("k", "reason", "message"),
        [
            (
                1,
                "wrong_type",
                "return value[0]: expected int, got an integer that does not fit into 64 bits",
            ),
            (2, "wrong_type", "return value[1]: expected str, got text that is not UTF-8"),
            (3, "wrong_type", "return value[1]: expected str, got text that is not UTF-8"),
            (
                4,
                "wrong_shape",
                "return value[2]: expected array[f64] with 2 dimensions, "
                "got rows of different lengths",
            ),
            (
                5,
                "wrong_shape",
                "return value[2]: expected array[f64] with 2 dimensions, "
                "got an empty side that is not the last",
            ),
            (
                7,
                "wrong_type",
                "return value[3]['a'][1]: expected int, "
                "got an integer that does not fit into 64 bits",
            ),
            (8, "wrong_type", "return value[4][1]: expected str, got a null pointer"),
        ],
    )
    def test_the_first_part_that_differs_is_named(
        self, probe: Program, k: int, reason: str, message: str
    ) -> None:
        reply = probe.reply(k=k)
        assert (reply.kind, reply.reason, reply.message) == (ReplyKind.MISMATCH, reason, message)

    def test_the_largest_values_fit(self, probe: Program) -> None:
        number, text, rows, _, _ = probe.value(k=0)
        assert (number, text, rows.tolist()) == (3, "\U0010ffff", [[1.0, 2.0], [3.0, 4.0]])

    def test_only_the_last_side_may_be_empty(self, probe: Program) -> None:
        assert probe.value(k=6)[2].shape == (2, 0)


@pytest.fixture(scope="module")
def thrower(machine: CppMachine) -> Program:
    return machine.program(
        PICK,
        r"""
        #include <bits/stdc++.h>
        #include <pthread.h>
        namespace mine {
          struct Error : std::exception {
            const char* what() const noexcept { return nullptr; }
          };
          struct Bad : std::exception {
            const char* what() const noexcept { return "\xff\"\\\n\x01"; }
          };
          struct Long : std::exception {
            std::string text = std::string(1 << 20, 'x');
            const char* what() const noexcept override { return text.c_str(); }
          };
        }
        long long pick(std::vector<double> values, int k) {
          switch (k) {
            case 0: return values.at(5);
            case 1: throw std::ios_base::failure("no file");
            case 2: throw 5;
            case 3: throw "text";
            case 4: throw mine::Error();
            case 5: throw mine::Bad();
            case 6: throw mine::Long();
            case 7: return std::vector<double>(std::size_t(-1)).size();
            case 8: return *new long long[std::size_t(k) << 50];
            case 9: throw std::bad_array_new_length();
            case 10: { int size = -k; return new int[size] != nullptr; }
            case 11: std::exit(3);
            case 12: std::abort();
            case 13: return *static_cast<volatile int*>(nullptr);
            case 14: pthread_exit(nullptr);
            case 15: return std::optional<int>().value();
            case 16: std::throw_with_nested(std::runtime_error("outer"));
          }
          return 0;
        }
        """,
    )


class TestRaised:
    @pytest.mark.parametrize(
        ("k", "error_class", "message"),
        [
            (
                0,
                "std::out_of_range",
                "std::out_of_range: vector::_M_range_check: __n (which is 5) "
                ">= this->size() (which is 1)",
            ),
            (1, "std::ios_base::failure", "std::ios_base::failure: no file: iostream error"),
            (2, "int", "int: an exception that is not derived from std::exception"),
            (3, "char const*", "char const*: an exception that is not derived from std::exception"),
            (4, "mine::Error", "mine::Error: "),
            (5, "mine::Bad", 'mine::Bad: \N{REPLACEMENT CHARACTER}"\\\n\x01'),
            (
                7,
                "std::length_error",
                "std::length_error: cannot create std::vector larger than max_size()",
            ),
            (
                15,
                "std::bad_optional_access",
                "std::bad_optional_access: bad optional access",
            ),
        ],
    )
    def test_class_and_text(self, thrower: Program, k: int, error_class: str, message: str) -> None:
        reply = thrower.reply(values=[0.0], k=k)
        assert (reply.kind, reply.error_class) == (ReplyKind.RAISED, error_class)
        assert (reply.message, reply.line) == (message, 0)

    def test_a_long_text_is_cut(self, thrower: Program) -> None:
        message = thrower.reply(values=[], k=6).message
        assert (len(message), message[:14]) == (MAX_MESSAGE, "mine::Long: xx")

    def test_a_nested_exception_is_what_it_is_derived_from(self, thrower: Program) -> None:
        reply = thrower.reply(values=[], k=16)
        assert "std::runtime_error" in reply.error_class
        assert reply.message.endswith(": outer")

    @pytest.mark.parametrize("k", [8, 9, 10])
    def test_a_failed_allocation_is_out_of_memory(self, thrower: Program, k: int) -> None:
        assert thrower.reply(values=[], k=k).kind is ReplyKind.OUT_OF_MEMORY

    def test_the_end_of_the_only_thread_is_no_crash(self, thrower: Program) -> None:
        assert thrower.reply(values=[], k=14).kind is ReplyKind.RAISED

    @pytest.mark.parametrize(("k", "status"), [(11, 3), (12, -6), (13, -11)])
    def test_an_end_without_exception_leaves_no_reply(
        self, thrower: Program, k: int, status: int
    ) -> None:
        run = thrower.run({"values": [], "k": k})
        assert (run.status, run.reply) == (status, None)


@pytest.fixture(scope="module")
def printer(machine: CppMachine) -> Program:
    return machine.program(
        PICK,
        r"""
        #include <bits/stdc++.h>
        struct Broken : std::streambuf { int sync() override { throw 1; } } broken;
        struct AtExit { ~AtExit() { std::abort(); } } at_exit;
        long long pick(std::vector<double> values, int k) {
          if (k == 1) std::ios::sync_with_stdio(false);
          std::cout << "out " << k;
          std::cerr << "err";
          std::clog << "log";
          printf("printed");
          const int next = std::cin.peek();
          if (k == 2) std::cout.setstate(std::ios::failbit);
          if (k == 3) { std::cout.exceptions(std::ios::badbit); std::cout.rdbuf(&broken); }
          if (k == 4) std::cout.rdbuf(nullptr);
          if (k == 5) fclose(stdout);
          if (k == 6) throw std::runtime_error("after");
          return next;
        }
        """,
    )


class TestPrints:
    @pytest.mark.parametrize("k", range(6))
    def test_they_are_flushed_and_a_broken_stream_does_not_matter(
        self, printer: Program, k: int
    ) -> None:
        run = printer.run({"values": [], "k": k})
        assert run.status == 0
        assert run.reply is not None
        # Nothing of standard input is left for the learner: peek() is EOF, -1.
        assert (run.reply.kind, run.reply.payload) == (ReplyKind.VALUE, b"\xff" * 8)
        assert sorted(run.stdout) == sorted(f"out {k}printed")
        assert run.stderr == "errlog"

    def test_they_are_flushed_after_an_exception(self, printer: Program) -> None:
        run = printer.run({"values": [], "k": 6})
        assert run.stdout == "out 6printed"
        assert run.reply is not None
        assert run.reply.kind is ReplyKind.RAISED
