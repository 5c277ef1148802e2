"""C++ on the surface: type names, literals, starter code, declarations and calls of samples."""

import math
from typing import Any

import numpy as np
import pytest

from judge.domain.signatures import make_signature, parse_type
from judge.harness import cpp

SAMPLE_TOKEN = make_signature(
    "sample_token",
    {"logits": "list[float]", "temperature": "float", "k": "int", "random_value": "float"},
    "int",
    ("k", "logits", "temperature", "random_value"),
)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("int", "long long"),
        ("float", "double"),
        ("bool", "bool"),
        ("str", "std::string"),
        ("list[list[int]]", "std::vector<std::vector<long long>>"),
        ("tuple[int]", "std::tuple<long long>"),
        ("tuple[a: int, b: float]", "std::pair<long long, double>"),
        ("tuple[int, float, bool]", "std::tuple<long long, double, bool>"),
        ("optional[str]", "std::optional<std::string>"),
        ("dict[int, list[float]]", "std::map<long long, std::vector<double>>"),
        ("ndarray[f64, 2]", "std::vector<std::vector<double>>"),
        ("ndarray[f32, 1]", "std::vector<float>"),
        ("ndarray[i64, 1]", "std::vector<long long>"),
        ("ndarray[bool, 3]", "std::vector<std::vector<std::vector<bool>>>"),
    ],
)
def test_every_type_has_a_name(text: str, name: str) -> None:
    assert cpp.type_name(parse_type(text)) == name


@pytest.mark.parametrize(
    ("text", "value", "source"),
    [
        ("int", 0, "0"),
        ("int", -(2**31), "-2147483648"),
        ("int", 2**31 - 1, "2147483647"),
        ("int", 2**31, "2147483648LL"),
        ("int", -(2**31) - 1, "-2147483649LL"),
        ("int", 2**63 - 1, "9223372036854775807LL"),
        ("int", -(2**63), "(-9223372036854775807LL - 1)"),
        ("float", 1.0, "1.0"),
        ("float", 0.1, "0.1"),
        ("float", -0.0, "-0.0"),
        ("float", 1e300, "1e+300"),
        ("float", 5e-324, "5e-324"),
        ("float", math.nan, "std::numeric_limits<double>::quiet_NaN()"),
        ("float", -math.inf, "-std::numeric_limits<double>::infinity()"),
        ("bool", True, "true"),
        ("str", 'a "b"\\\n', r'"a \"b\"\\\n"'),
        ("str", "é1", r'"\303\2511"'),
        ("str", "???=", r'"?\?\?="'),
        ("str", "a\0b", r'std::string("a\000b", 3)'),
        ("list[int]", [], "{}"),
        ("list[list[int]]", [[1], []], "{{1}, {}}"),
        ("tuple[list[int], int]", ([1, 2], 2), "{{1, 2}, 2}"),
        ("tuple[list[int]]", ([1],), "{std::vector<long long>{1}}"),
        ("optional[int]", None, "std::nullopt"),
        ("optional[int]", 3, "3"),
        ("optional[list[int]]", [1], "std::vector<long long>{1}"),
        ("dict[str, int]", {"a": 1, "b": 2}, '{{"a", 1}, {"b", 2}}'),
        ("ndarray[f64, 2]", np.array([[0.5, 1.0]]), "{{0.5, 1.0}}"),
        ("ndarray[i64, 1]", np.array([2**40]), "{1099511627776LL}"),
        ("ndarray[bool, 1]", np.array([True, False]), "{true, false}"),
        (
            "ndarray[f32, 1]",
            np.array([0.5, math.inf], "<f4"),
            "{0.5, std::numeric_limits<float>::infinity()}",
        ),
    ],
)
def test_literals(text: str, value: Any, source: str) -> None:
    assert cpp.literal(parse_type(text), value) == source


def test_the_sample_of_sample_token_reads_as_in_the_source_document() -> None:
    arguments = {"logits": [1.0, 3.0, 2.0, 0.5], "temperature": 1.0, "k": 1, "random_value": 0.99}
    assert cpp.declarations(SAMPLE_TOKEN, arguments) == [
        "long long k = 1;",
        "std::vector<double> logits = {1.0, 3.0, 2.0, 0.5};",
        "double temperature = 1.0;",
        "double random_value = 0.99;",
    ]
    assert cpp.expected_declaration(SAMPLE_TOKEN, 1) == "long long expected = 1;"
    assert (
        cpp.call(SAMPLE_TOKEN)
        == "auto result = sample_token(logits, temperature, k, random_value);"
    )


def test_starter_code() -> None:
    assert cpp.starter_code(SAMPLE_TOKEN) == (
        "#include <bits/stdc++.h>\n"
        "\n"
        "long long sample_token(const std::vector<double>& logits, double temperature, "
        "long long k, double random_value) {\n"
        '    throw std::logic_error("not implemented");\n'
        "}\n"
    )


class TestCall:
    def test_the_parts_of_a_tuple_are_named_where_the_signature_names_them(self) -> None:
        signature = make_signature("f", {"a": "int"}, "tuple[tokens: list[int], count: int]")
        assert cpp.call(signature) == "auto [tokens, count] = f(a);"

    def test_result_names_come_first(self) -> None:
        signature = make_signature(
            "f", {"a": "int"}, "tuple[tokens: list[int], count: int]", result_names=("x", "y")
        )
        assert cpp.call(signature) == "auto [x, y] = f(a);"

    def test_a_tuple_without_names_stays_whole(self) -> None:
        assert (
            cpp.call(make_signature("f", {"a": "int"}, "tuple[int, int]")) == "auto result = f(a);"
        )

    def test_no_name_is_declared_twice(self) -> None:
        signature = make_signature("f", {"a": "int", "b": "int"}, "tuple[a: int, c: int]")
        assert cpp.call(signature) == "auto result = f(a, b);"
