"""The Python harness: literals, starter code, requests, and what a returned value may be."""

import decimal
import fractions
import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from plain_values import plain
from value_strategies import typed_values, types

from judge.domain.signatures import ValueType, make_signature, parse_type
from judge.harness import python, wire
from judge.harness.drivers import python_driver as driver

SAMPLE_TOKEN = make_signature(
    "sample_token",
    {"logits": "list[float]", "temperature": "float", "k": "int", "random_value": "float"},
    "int",
    ("k", "logits", "temperature", "random_value"),
)
VERIFY = make_signature(
    "verify_draft_sequence",
    {
        "draft_tokens": "list[int]",
        "draft_probs": "ndarray[f64, 2]",
        "target_probs": "ndarray[f64, 2]",
        "random_uniforms": "list[float]",
    },
    "tuple[accepted_tokens: list[int], num_accepted: int]",
)


class TestLiterals:
    def test_the_samples_of_sample_token_read_as_in_the_source_document(self) -> None:
        first = {"logits": [1.0, 3.0, 2.0, 0.5], "temperature": 1.0, "k": 1, "random_value": 0.99}
        assert python.declarations(SAMPLE_TOKEN, first) == [
            "k = 1",
            "logits = [1.0, 3.0, 2.0, 0.5]",
            "temperature = 1.0",
            "random_value = 0.99",
        ]
        second = {"logits": [2.0, 1.0, 0.0], "temperature": 1.0, "k": 2, "random_value": 0.8}
        assert python.declarations(SAMPLE_TOKEN, second) == [
            "k = 2",
            "logits = [2.0, 1.0, 0.0]",
            "temperature = 1.0",
            "random_value = 0.8",
        ]

    def test_the_samples_of_verify_draft_sequence_read_as_in_the_source_document(self) -> None:
        arguments = {
            "draft_tokens": [1, 2],
            "draft_probs": np.array([[0.1, 0.6, 0.3], [0.2, 0.1, 0.7]]),
            "target_probs": np.array([[0.1, 0.8, 0.1], [0.1, 0.1, 0.8]]),
            "random_uniforms": [0.5, 0.5],
        }
        assert python.declarations(VERIFY, arguments) == [
            "draft_tokens = [1, 2]",
            "draft_probs = np.array([[0.1, 0.6, 0.3], [0.2, 0.1, 0.7]])",
            "target_probs = np.array([[0.1, 0.8, 0.1], [0.1, 0.1, 0.8]])",
            "random_uniforms = [0.5, 0.5]",
        ]
        assert python.literal(VERIFY.returns, ([1, 2], 2)) == "([1, 2], 2)"

    @pytest.mark.parametrize(
        ("text", "value", "source"),
        [
            ("float", math.nan, 'float("nan")'),
            ("float", -math.inf, 'float("-inf")'),
            ("float", -0.0, "-0.0"),
            ("float", 1e300, "1e+300"),
            ("int", -(2**63), "-9223372036854775808"),
            ("str", "it's\n", '"it\'s\\n"'),
            ("tuple[int]", (1,), "(1,)"),
            ("optional[int]", None, "None"),
            ("dict[str, list[int]]", {"a": [1]}, "{'a': [1]}"),
            ("ndarray[f32, 1]", np.array([0.5], "<f4"), "np.array([0.5], dtype=np.float32)"),
            ("ndarray[bool, 1]", np.array([True]), "np.array([True], dtype=bool)"),
        ],
    )
    def test_a_literal_is_python_source(self, text: str, value: Any, source: str) -> None:
        assert python.literal(parse_type(text), value) == source

    @given(typed_values())
    def test_a_literal_evaluates_to_its_value(self, typed: tuple[ValueType, Any]) -> None:
        kind, value = typed
        evaluated = eval(python.literal(kind, value), {"np": np})  # noqa: S307 - our own text
        assert comparable(evaluated) == comparable(value)


def comparable(value: Any) -> Any:
    """Without the dtype of empty arrays inside, which a literal cannot always say."""
    return re.sub(r"'\|?<?[fib?]\w*'", "", repr(plain(value)))


class TestCalls:
    def test_an_expected_value_is_declared_under_that_name(self) -> None:
        assert python.expected_declaration(SAMPLE_TOKEN, 1) == "expected = 1"
        assert python.expected_declaration(VERIFY, ([1], 0)) == "expected = ([1], 0)"

    def test_arguments_stand_in_the_order_of_the_parameters(self) -> None:
        assert python.call(SAMPLE_TOKEN) == (
            "result = sample_token(logits, temperature, k, random_value)"
        )

    @pytest.mark.parametrize(
        ("returns", "names", "line"),
        [
            ("tuple[tokens: list[int], count: int]", (), "tokens, count = f(a)"),
            ("tuple[tokens: list[int], count: int]", ("x", "y"), "x, y = f(a)"),
            ("tuple[int, int]", (), "result = f(a)"),
            ("tuple[int]", ("only",), "only, = f(a)"),
        ],
    )
    def test_the_parts_of_a_tuple_have_names_where_the_signature_has_some(
        self, returns: str, names: tuple[str, ...], line: str
    ) -> None:
        assert python.call(make_signature("f", {"a": "int"}, returns, (), names)) == line


class TestStarterCode:
    def test_of_sample_token(self) -> None:
        assert python.starter_code(SAMPLE_TOKEN) == (
            "def sample_token(logits: list[float], temperature: float, k: int, "
            "random_value: float) -> int:\n    raise NotImplementedError\n"
        )

    def test_of_verify_draft_sequence(self) -> None:
        assert python.starter_code(VERIFY) == (
            "import numpy as np\n\n\n"
            "def verify_draft_sequence(draft_tokens: list[int], draft_probs: np.ndarray, "
            "target_probs: np.ndarray, random_uniforms: list[float]) -> tuple[list[int], int]:\n"
            "    raise NotImplementedError\n"
        )

    @given(types())
    def test_it_compiles_for_every_type_and_takes_the_arguments(self, kind: ValueType) -> None:
        signature = make_signature("solve", {"value": str(kind)}, str(kind))
        source = python.starter_code(signature)
        request = python.check_request(signature, source)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(driver, "write", len)
            assert driver.answer(*driver.split_request(request)) == ("K", b"{}")


def refuse(_: object) -> bytes:
    raise ValueError("object too deeply nested to marshal")


class TestRequests:
    def test_a_call_carries_the_source_and_the_arguments(self) -> None:
        signature = make_signature("f", {"a": "int", "b": "str"}, "int")
        request = python.call_request(signature, "# nguồn", {"a": 7, "b": "あ"})
        header, source, compiled, payload = driver.split_request(request)
        assert (source, compiled) == ("# nguồn", b"")
        assert header == {
            "mode": "call",
            "function": "f",
            "parameters": [["a", ["int"]], ["b", ["str"]]],
            "returns": ["int"],
        }
        assert driver.decode_arguments(header["parameters"], payload) == [7, "あ"]

    def test_a_check_carries_no_argument(self) -> None:
        parts = driver.split_request(python.check_request(SAMPLE_TOKEN, "x"))
        assert (parts[0]["mode"], *parts[1:]) == ("check", "x", b"", b"")

    def test_what_a_check_compiled_is_what_later_calls_run(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        signature = make_signature("f", {"a": "int"}, "int")
        source = "import sys\ndef f(a):\n    return a + 1\n"
        written: list[bytes] = []
        monkeypatch.setattr(driver, "write", written.append)
        request = python.check_request(signature, source)
        assert driver.answer(*driver.split_request(request)) == ("K", b"{}")
        compiled, reply = python.read_check(b"".join(written) + b"K{}")
        assert reply == b"K{}"
        call = python.call_request(signature, "# not compiled again", {"a": 7}, compiled)
        kind, payload = driver.answer(*driver.split_request(call))
        assert (kind, wire.decode(signature.returns, payload)) == ("V", 8)

    @pytest.mark.parametrize("source", ["x = " + "(" * 90 + "1," + "),"[:1] * 90, "x = 1"])
    def test_a_check_always_writes_its_frame_before_the_source_runs(
        self, monkeypatch: pytest.MonkeyPatch, source: str
    ) -> None:
        """Else a source could write that frame, and run something that it does not show."""
        events: list[str] = []
        monkeypatch.setattr(driver, "write", lambda frame: events.append(frame[:1].decode()))
        monkeypatch.setattr(driver.marshal, "dumps", refuse)
        code = f"{source}\nimport builtins\nbuiltins.ran()\n"
        monkeypatch.setattr("builtins.ran", lambda: events.append("ran"), raising=False)
        driver.answer(*driver.split_request(python.check_request(SAMPLE_TOKEN, code)))
        assert events == ["B", "ran"]

    @pytest.mark.parametrize(
        ("written", "read"),
        [
            (b"", (b"", b"")),
            (b"R{}", (b"", b"R{}")),
            (b"B", (b"", b"")),
            (b"B\x02\0\0\0a", (b"", b"")),
            (b"B\x01\0\0\0aK{}", (b"a", b"K{}")),
            (b"B\0\0\0\0B\x01\0\0\0aK{}", (b"", b"B\x01\0\0\0aK{}")),
        ],
    )
    def test_only_a_whole_first_frame_is_what_was_compiled(
        self, written: bytes, read: tuple[bytes, bytes]
    ) -> None:
        assert python.read_check(written) == read

    def test_a_tool_gets_one_dict_of_named_arguments(self) -> None:
        signature = make_signature("distance", {"a": "int", "b": "int"}, "float")
        source = "def distance(case):\n    return case['a'] / case['b']\n"
        request = python.tool_request(signature, source, {"a": 1, "b": 4})
        kind, payload = driver.answer(*driver.split_request(request))
        assert (kind, wire.decode(signature.returns, payload)) == ("V", 0.25)


class Agreeable(int):
    """An integer that equals everything and answers every operator with itself."""

    def _yes(self, *_: object) -> bool:
        return True

    def _self(self, *_: object) -> "Agreeable":
        return self

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _yes  # type: ignore[assignment]
    __hash__ = int.__hash__
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __neg__ = __pos__ = _self
    __abs__ = __int__ = __index__ = __trunc__ = _self

    def __repr__(self) -> str:
        return "3"


class AgreeableFloat(np.float64):
    """The same as a numpy float."""

    def _yes(self, *_: object) -> bool:
        return True

    def _self(self, *_: object) -> "AgreeableFloat":
        return self

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _yes  # type: ignore[assignment]
    __hash__ = np.float64.__hash__
    __add__ = __sub__ = __mul__ = __neg__ = __pos__ = __abs__ = __float__ = _self  # type: ignore[assignment]


class ForgedList(list[Any]):
    """A list whose methods tell another story."""

    def __iter__(self) -> Any:
        return iter([7, 7])

    def __len__(self) -> int:
        return 2

    def __getitem__(self, index: Any) -> Any:
        return 7

    def copy(self) -> list[Any]:
        return [7, 7]


class ForgedText(str):
    """A text whose methods tell another story."""

    def encode(self, *_: Any, **__: Any) -> bytes:
        return b"forged"

    def __str__(self) -> str:
        return "forged"


class ForgedDict(dict[Any, Any]):
    """A dict whose methods tell another story."""

    def items(self) -> Any:
        return [("forged", 1)]

    __iter__ = __getitem__ = items  # type: ignore[assignment]


# type, returned, what it counts as
TAKEN: list[tuple[str, Any, Any]] = [
    ("int", np.int32(3), 3),
    ("int", np.uint64(3), 3),
    ("int", np.array(3), 3),
    ("int", Agreeable(-7), -7),
    ("int", 2**63 - 1, 2**63 - 1),
    ("float", 3, 3.0),
    ("float", np.float32(0.5), 0.5),
    ("float", np.int64(3), 3.0),
    ("float", np.array(0.5), 0.5),
    ("float", AgreeableFloat(-7.0), -7.0),
    ("float", Agreeable(-7), -7.0),
    ("float", math.nan, math.nan),
    ("bool", np.bool_(True), True),
    ("bool", np.array(False), False),
    ("str", ForgedText("real"), "real"),
    ("list[int]", (1, 2), [1, 2]),
    ("list[int]", np.array([1, 2]), [1, 2]),
    ("list[int]", ForgedList([1]), [1]),
    ("list[float]", [1, np.float64(2)], [1.0, 2.0]),
    ("list[list[int]]", np.array([[1], [2]]), [[1], [2]]),
    ("tuple[int, float]", [1, 2], [1, 2.0]),
    ("tuple[int, int]", np.array([1, 2]), [1, 2]),
    ("optional[int]", None, None),
    ("optional[int]", np.int8(1), 1),
    ("dict[str, int]", ForgedDict(a=2), {"a": 2}),
    ("dict[int, float]", {np.int64(1): 2}, {1: 2.0}),
    ("ndarray[f64, 1]", [1, 2], np.array([1.0, 2.0])),
    ("ndarray[f64, 2]", np.ones((2, 1), np.int64), np.ones((2, 1))),
    ("ndarray[f64, 2]", np.ones((2, 3)).T, np.ones((3, 2))),
    ("ndarray[f32, 1]", np.array([0.5]), np.array([0.5], "<f4")),
    ("ndarray[i64, 1]", np.array([1], np.uint8), np.array([1])),
    ("ndarray[f64, 2]", [[], []], np.zeros((2, 0))),
]
F64_1 = "return value: expected array[f64] with 1 dimension"
F64_2 = "return value: expected array[f64] with 2 dimensions"
I64_1 = "return value: expected array[i64] with 1 dimension"
BOOL_1 = "return value: expected array[bool] with 1 dimension"
TOO_LARGE = "an integer that does not fit into 64 bits"
WRITE_INT = "write int(...)"
# type, returned, the whole message
REFUSED: list[tuple[str, Any, str]] = [
    (
        "list[list[int]]",
        [[1, 2.0]],
        "return value[0][1]: expected int, got float (2.0); write int(...)",
    ),
    ("int", 3.0, f"return value: expected int, got float (3.0); {WRITE_INT}"),
    ("int", np.float32(3), f"return value: expected int, got float (3.0); {WRITE_INT}"),
    ("int", True, "return value: expected int, got bool (True)"),
    ("int", np.bool_(False), "return value: expected int, got bool (False)"),
    ("int", None, "return value: expected int, got None (is a return missing?)"),
    ("int", "3", "return value: expected int, got str ('3')"),
    ("int", 2**63, f"return value: expected int, got {TOO_LARGE}"),
    ("int", -(2**63) - 1, f"return value: expected int, got {TOO_LARGE}"),
    ("int", decimal.Decimal(3), "return value: expected int, got Decimal"),
    ("int", fractions.Fraction(3), "return value: expected int, got Fraction"),
    ("int", 3 + 0j, "return value: expected int, got complex"),
    ("int", [3], "return value: expected int, got list"),
    ("int", np.array([3]), "return value: expected int, got array of 1 dimension"),
    ("float", True, "return value: expected float, got bool (True)"),
    ("float", 10**400, "return value: expected float, got an integer too large for a double"),
    ("float", "nan", "return value: expected float, got str ('nan')"),
    ("bool", 1, "return value: expected bool, got int (1)"),
    ("bool", None, "return value: expected bool, got None (is a return missing?)"),
    ("str", b"x", "return value: expected str, got bytes"),
    ("str", "\ud800", "return value: expected str, got text with a lone surrogate"),
    ("list[int]", (n for n in [1]), "return value: expected list, got generator"),
    ("list[int]", {1}, "return value: expected list, got set"),
    ("list[int]", range(3), "return value: expected list, got range"),
    ("list[int]", {1: 1}, "return value: expected list, got dict"),
    ("list[int]", np.array(3), "return value: expected list, got array of 0 dimensions"),
    ("list[int]", [1, None], "return value[1]: expected int, got None (is a return missing?)"),
    ("list[int]", np.array([[1]]), "return value[0]: expected int, got array of 1 dimension"),
    ("list[str]", "text", "return value: expected list, got str ('text')"),
    ("tuple[int, int]", [1], "return value: expected tuple of 2, got 1 items"),
    ("tuple[int, str]", (1, 2), "return value[1]: expected str, got int (2)"),
    ("dict[str, int]", {1: 1}, "return value key: expected str, got int (1)"),
    ("dict[str, int]", {"a": "b"}, "return value['a']: expected int, got str ('b')"),
    ("dict[str, int]", [("a", 1)], "return value: expected dict, got list"),
    ("optional[int]", "x", "return value: expected int, got str ('x')"),
    ("ndarray[f64, 1]", 1.0, f"{F64_1}, got float (1.0)"),
    ("ndarray[f64, 1]", ["a"], f"{F64_1}, got dtype <U1"),
    ("ndarray[i64, 1]", [1.0], f"{I64_1}, got dtype float64"),
    ("ndarray[bool, 1]", [0, 1], f"{BOOL_1}, got dtype int64"),
    ("ndarray[f64, 1]", [True], f"{F64_1}, got dtype bool"),
    (
        "ndarray[i64, 1]",
        np.array([2**63], np.uint64),
        f"{I64_1}, got {TOO_LARGE}",
    ),
    ("ndarray[f64, 2]", [1.0], f"{F64_2}, got 1 dimension"),
    (
        "ndarray[f64, 2]",
        [[1.0], [1.0, 2.0]],
        f"{F64_2}, got rows of different lengths",
    ),
    (
        "ndarray[f64, 2]",
        np.zeros((0, 3)),
        f"{F64_2}, got shape (0, 3)",
    ),
]  # fmt: skip


class TestCoercion:
    @pytest.mark.parametrize(("text", "returned", "counted"), TAKEN)
    def test_what_means_the_same_is_taken_as_plain_data(
        self, text: str, returned: Any, counted: Any
    ) -> None:
        taken = driver.coerce(wire.describe(parse_type(text)), returned, "return value")
        assert plain(taken) == plain(counted)
        assert type(taken) in (int, float, bool, str, list, dict, np.ndarray, type(None))

    @pytest.mark.parametrize(("text", "returned", "message"), REFUSED)
    def test_anything_else_is_refused_with_its_path_and_what_to_do(
        self, text: str, returned: Any, message: str
    ) -> None:
        with pytest.raises(driver.Mismatch) as raised:
            driver.coerce(wire.describe(parse_type(text)), returned, "return value")
        assert str(raised.value) == message

    @pytest.mark.parametrize(
        ("text", "returned", "reason"),
        [
            ("tuple[int, int]", [1], "wrong_shape"),
            ("ndarray[f64, 2]", [1.0], "wrong_shape"),
            ("ndarray[f64, 2]", [[1.0], []], "wrong_shape"),
            ("ndarray[f64, 1]", "x", "wrong_type"),
            ("list[int]", "x", "wrong_type"),
        ],
    )
    def test_a_wrong_shape_is_told_from_a_wrong_type(
        self, text: str, returned: Any, reason: str
    ) -> None:
        with pytest.raises(driver.Mismatch) as raised:
            driver.coerce(wire.describe(parse_type(text)), returned, "return value")
        assert raised.value.reason == reason

    def test_a_hostile_numbers_bytes_are_those_of_its_real_value(self) -> None:
        kind = parse_type("tuple[int, float]")
        parts: list[bytes] = []
        shape = wire.describe(kind)
        returned = (Agreeable(-7), AgreeableFloat(-7.0))
        driver.encode(driver.coerce(shape, returned, "return value"), shape, parts)
        assert wire.decode(kind, b"".join(parts)) == (-7, -7.0)
