"""The type grammar: what parses, what it prints as, what is refused."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from value_strategies import types

from judge.domain.signatures import (
    DictOf,
    ListOf,
    NdArray,
    Optional,
    Scalar,
    SignatureError,
    TupleOf,
    ValueType,
    make_signature,
    parse_type,
    signature_from_json,
    signature_to_json,
)

INT, FLOAT, STR = Scalar("int"), Scalar("float"), Scalar("str")
PARSED = {
    "int": INT,
    " list[ float ] ": ListOf(FLOAT),
    "list[list[str]]": ListOf(ListOf(STR)),
    "optional[int]": Optional(INT),
    "optional[list[optional[int]]]": Optional(ListOf(Optional(INT))),
    "dict[str, list[int]]": DictOf(STR, ListOf(INT)),
    "dict[int, dict[str, bool]]": DictOf(INT, DictOf(STR, Scalar("bool"))),
    "ndarray[f64, 2]": NdArray("f64", 2),
    "ndarray[bool,8]": NdArray("bool", 8),
    "tuple[int]": TupleOf((INT,)),
    "tuple[int, tuple[int, str]]": TupleOf((INT, TupleOf((INT, STR)))),
    "tuple[tokens: list[int], count: int]": TupleOf((ListOf(INT), INT), ("tokens", "count")),
}
REFUSED = [
    "",
    "Int",
    "integer",
    "list",
    "list[]",
    "list[int",
    "list int]",
    "list[int, int]",
    "list[int]]",
    "optional[]",
    "optional[int, int]",
    "optional[optional[int]]",
    "list[optional[ optional[str] ]]",
    "dict[int]",
    "dict[float, int]",
    "dict[list[int], int]",
    "tuple[]",
    "tuple[int, ]",
    "tuple[a: int, int]",
    "tuple[a: int, a: int]",
    "tuple[A: int]",
    "tuple[class: int]",
    "tuple[notify: int]",
    "ndarray[f64]",
    "ndarray[f64, 0]",
    "ndarray[f64, 9]",
    "ndarray[f64, two]",
    "ndarray[f16, 1]",
    "set[int]",
    "int; import os",
    "list[" * 9 + "int" + "]" * 9,
]


@pytest.mark.parametrize(("text", "kind"), PARSED.items())
def test_a_type_is_read(text: str, kind: ValueType) -> None:
    assert parse_type(text) == kind


@pytest.mark.parametrize("text", REFUSED)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(SignatureError):
        parse_type(text)


@given(types())
def test_what_a_type_prints_as_is_read_as_that_type(kind: ValueType) -> None:
    assert parse_type(str(kind)) == kind


@given(st.text(alphabet="listoptnadcu[],: 128fxb_", max_size=40))
def test_no_text_does_worse_than_a_refusal(text: str) -> None:
    with contextlib.suppress(SignatureError):
        parse_type(text)


def test_eight_levels_are_the_deepest() -> None:
    assert parse_type("list[" * 8 + "int" + "]" * 8)


class TestSignature:
    def test_it_prints_as_a_definition(self) -> None:
        signature = make_signature("f", {"a": "list[int]", "b": "float"}, "tuple[x: int, y: str]")
        assert str(signature) == "f(a: list[int], b: float) -> tuple[x: int, y: str]"

    def test_samples_follow_the_display_order_and_calls_do_not(self) -> None:
        signature = make_signature("f", {"a": "int", "b": "int"}, "int", ("b", "a"))
        assert [p.name for p in signature.parameters] == ["a", "b"]
        assert [p.name for p in signature.shown_parameters()] == ["b", "a"]

    def test_without_a_display_order_the_order_of_the_call_is_shown(self) -> None:
        signature = make_signature("f", {"a": "int", "b": "int"}, "int")
        assert [p.name for p in signature.shown_parameters()] == ["a", "b"]

    @pytest.mark.parametrize("name", ["F", "2x", "a-b", "a b", "", "def", "größe", "_x", "x" * 65])
    def test_names_are_snake_case_identifiers(self, name: str) -> None:
        with pytest.raises(SignatureError):
            make_signature(name, {"a": "int"}, "int")
        with pytest.raises(SignatureError):
            make_signature("f", {name: "int"}, "int")

    @pytest.mark.parametrize(
        "word", ["lambda", "nonlocal", "template", "xor", "co_await", "byte", "strictfp"]
    )
    def test_no_name_is_a_word_that_a_language_keeps_for_itself(self, word: str) -> None:
        with pytest.raises(SignatureError, match=f"'{word}' is a word that Python, C"):
            make_signature("f", {word: "int"}, "int")

    @pytest.mark.parametrize("word", ["errno", "stdin", "assert", "main", "clone", "wait"])
    def test_no_name_is_a_macro_an_entry_point_or_a_method_of_every_object(self, word: str) -> None:
        with pytest.raises(SignatureError):
            make_signature(word, {"a": "int"}, "int")

    @pytest.mark.parametrize("name", ["record", "var", "match", "type", "mains", "result"])
    def test_words_that_mean_something_only_in_places_are_names(self, name: str) -> None:
        assert make_signature(name, {name: "int"}, "int").name == name

    def test_a_function_has_a_parameter(self) -> None:
        with pytest.raises(SignatureError):
            make_signature("f", {}, "int")

    @pytest.mark.parametrize("order", [("a",), ("a", "a"), ("a", "b", "c"), ("a", "c")])
    def test_the_display_order_names_every_parameter_once(self, order: tuple[str, ...]) -> None:
        with pytest.raises(SignatureError):
            make_signature("f", {"a": "int", "b": "int"}, "int", order)

    def test_a_returned_tuple_may_have_names_for_the_call(self) -> None:
        names = ("accepted", "count")
        signature = make_signature("f", {"a": "int"}, "tuple[int, int]", (), names)
        assert signature.result_names == names
        assert make_signature("f", {"a": "int"}, "tuple[int, int]").result_names == ()

    @pytest.mark.parametrize(
        ("returns", "names"),
        [
            ("int", ("x",)),
            ("list[int]", ("x", "y")),
            ("tuple[int, int]", ("x",)),
            ("tuple[int, int]", ("x", "y", "z")),
            ("tuple[int, int]", ("x", "x")),
            ("tuple[int, int]", ("x", "a")),
            ("tuple[int, int]", ("x", "Y")),
            ("tuple[int, int]", ("x", "for")),
        ],
    )
    def test_the_names_of_the_call_are_one_a_part(
        self, returns: str, names: tuple[str, ...]
    ) -> None:
        with pytest.raises(SignatureError):
            make_signature("f", {"a": "int"}, returns, (), names)

    def test_what_is_stored_is_read_back(self) -> None:
        params = {"a": "list[int]", "b": "float"}
        signature = make_signature("f", params, "tuple[x: int, y: str]", ("b", "a"), ("c", "d"))
        assert signature_from_json(signature_to_json(signature)) == signature

    def test_what_was_stored_before_results_had_names_is_read(self) -> None:
        signature = make_signature("f", {"a": "int"}, "tuple[int, int]")
        stored = signature_to_json(signature)
        del stored["result_names"]
        assert signature_from_json(stored) == signature
