"""Java on the surface: literals, declarations, starter code."""

import math
from typing import Any

import numpy as np
import pytest

from judge.domain.signatures import make_signature, parse_type
from judge.harness import java

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
        "random_uniforms": "list[float]",
    },
    "tuple[accepted_tokens: list[int], num_accepted: int]",
)
NESTED = make_signature(
    "pair_up",
    {"pairs": "list[tuple[int, str]]", "limits": "tuple[low: float, high: optional[float]]"},
    "tuple[count: int, rest: tuple[float, list[tuple[int, str]]]]",
)
MANY = {f"k{index}": index for index in range(11)}


class TestSamples:
    def test_sample_token_reads_as_in_the_source_document(self) -> None:
        arguments = {
            "logits": [1.0, 3.0, 2.0, 0.5],
            "temperature": 1.0,
            "k": 1,
            "random_value": 0.99,
        }
        assert java.declarations(SAMPLE_TOKEN, arguments) == [
            "long k = 1;",
            "double[] logits = new double[] {1.0, 3.0, 2.0, 0.5};",
            "double temperature = 1.0;",
            "double random_value = 0.99;",
        ]
        assert java.expected_declaration(SAMPLE_TOKEN, 1) == "long expected = 1;"
        assert java.call(SAMPLE_TOKEN) == (
            "long result = Solution.sample_token(logits, temperature, k, random_value);"
        )

    def test_a_tuple_is_a_record(self) -> None:
        expected = "Result expected = new Result(new long[] {1, 2}, 2);"
        assert java.expected_declaration(VERIFY, ([1, 2], 2)) == expected
        assert java.call(VERIFY) == (
            "Solution.Result result = Solution.verify_draft_sequence("
            "draft_tokens, draft_probs, random_uniforms);"
        )

    def test_tuples_inside_have_records_of_their_own_and_equal_ones_share_one(self) -> None:
        arguments = {"pairs": [(1, "a")], "limits": (0.5, None)}
        assert java.declarations(NESTED, arguments) == [
            'Result3[] pairs = new Result3[] {new Result3(1, "a")};',
            "Result4 limits = new Result4(0.5, null);",
        ]
        assert java.expected_declaration(NESTED, (1, (0.5, []))) == (
            "Result expected = new Result(1, new Result2(0.5, new Result3[] {}));"
        )


@pytest.mark.parametrize(
    ("text", "value", "source"),
    [
        ("int", 2**31 - 1, "2147483647"),
        ("int", 2**31, "2147483648L"),
        ("int", -(2**63), "-9223372036854775808L"),
        ("float", math.nan, "Double.NaN"),
        ("float", math.inf, "Double.POSITIVE_INFINITY"),
        ("float", -math.inf, "Double.NEGATIVE_INFINITY"),
        ("float", -0.0, "-0.0"),
        ("float", 1e300, "1e+300"),
        ("bool", True, "true"),
        ("str", "é😀\"\\\n\r\t\x00", '"\\u00e9\\ud83d\\ude00\\"\\\\\\n\\r\\t\\u0000"'),
        ("str", "\\u0041", '"\\\\u0041"'),
        ("list[int]", [], "new long[] {}"),
        ("list[list[float]]", [[1.0], []], "new double[][] {{1.0}, {}}"),
        ("optional[int]", None, "null"),
        ("optional[int]", 1, "1L"),
        ("list[optional[int]]", [1, None], "new Long[] {1L, null}"),
        ("optional[list[list[int]]]", [[1]], "new long[][] {{1}}"),
        ("list[optional[list[int]]]", [[1], None], "new long[][] {{1}, null}"),
        ("tuple[int, bool]", (1, True), "new Result(1, true)"),
        ("tuple[list[int]]", ([1],), "new Result(new long[] {1})"),
        ("dict[str, int]", {}, "new java.util.TreeMap<String, Long>()"),
        (
            "dict[int, list[float]]",
            {1: [0.5]},
            "new java.util.TreeMap<Long, double[]>(java.util.Map.of(1L, new double[] {0.5}))",
        ),
        (
            "dict[str, optional[int]]",
            {"a": None},
            'new java.util.TreeMap<String, Long>() {{ put("a", null); }}',
        ),
        (
            "dict[str, list[dict[str, int]]]",
            {"a": []},
            "new java.util.TreeMap<String, java.util.Map<String, Long>[]>() "
            '{{ put("a", new java.util.Map[] {}); }}',
        ),
        (
            "list[dict[str, int]]",
            [{"a": 1}],
            "new java.util.Map[] {new java.util.TreeMap<String, Long>("
            'java.util.Map.of("a", 1L))}',
        ),
        ("ndarray[f64, 2]", np.array([[0.5], [1.0]]), "new double[][] {{0.5}, {1.0}}"),
        (
            "ndarray[f32, 1]",
            np.array([0.1, math.inf, math.nan], "<f4"),
            "new float[] {0.1f, Float.POSITIVE_INFINITY, Float.NaN}",
        ),
        ("ndarray[i64, 1]", np.array([2**40]), "new long[] {1099511627776L}"),
        ("ndarray[bool, 1]", np.array([True, False]), "new boolean[] {true, false}"),
    ],
)  # fmt: skip
def test_a_literal_is_java_source(text: str, value: Any, source: str) -> None:
    assert java.literal(parse_type(text), value) == source


def test_a_large_map_is_filled_pair_by_pair() -> None:
    literal = java.literal(parse_type("dict[str, int]"), MANY)
    assert literal.startswith('new java.util.TreeMap<String, Long>() {{ put("k0", 0L); put("k1"')


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("int", "long"),
        ("optional[float]", "Double"),
        ("list[optional[bool]]", "Boolean[]"),
        ("optional[ndarray[f32, 2]]", "float[][]"),
        ("dict[int, list[int]]", "java.util.Map<Long, long[]>"),
        ("list[list[dict[str, bool]]]", "java.util.Map<String, Boolean>[][]"),
        ("list[tuple[int, str]]", "Result[]"),
    ],
)
def test_type_names(text: str, name: str) -> None:
    assert java.type_name(parse_type(text)) == name


class TestStarterCode:
    def test_of_sample_token(self) -> None:
        assert java.starter_code(SAMPLE_TOKEN) == (
            "class Solution {\n"
            "    static long sample_token("
            "double[] logits, double temperature, long k, double random_value) {\n"
            '        throw new UnsupportedOperationException("not implemented");\n'
            "    }\n"
            "}\n"
        )

    def test_records_carry_the_parts_names_or_ordinals(self) -> None:
        assert java.record_declarations(VERIFY) == [
            "record Result(long[] accepted_tokens, long num_accepted) {}"
        ]
        assert java.record_declarations(NESTED) == [
            "record Result(long count, Result2 rest) {}",
            "record Result2(double first, Result3[] second) {}",
            "record Result3(long first, String second) {}",
            "record Result4(double low, Double high) {}",
        ]
        nine = make_signature("f", {"a": "int"}, f"tuple[{', '.join(['int'] * 9)}]")
        assert java.record_declarations(nine)[0].endswith("long eighth, long part9) {}")

    def test_records_stand_before_the_method(self) -> None:
        assert java.starter_code(VERIFY) == (
            "class Solution {\n"
            "    record Result(long[] accepted_tokens, long num_accepted) {}\n"
            "\n"
            "    static Result verify_draft_sequence("
            "long[] draft_tokens, double[][] draft_probs, double[] random_uniforms) {\n"
            '        throw new UnsupportedOperationException("not implemented");\n'
            "    }\n"
            "}\n"
        )
