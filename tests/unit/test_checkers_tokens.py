"""The checker tokens: Kattis' default output validator, as its 2025-09 specification says it is."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.domain.checkers import check
from judge.domain.checkers.comparison import Comparison
from judge.domain.checkers.tokens import SMALLEST_TOLERANCE, compare_tokens
from judge.domain.problem import STDIO_SIGNATURE, CheckerSpec
from judge.domain.verdicts import Reason

PLAIN = CheckerSpec("tokens")
CASE = CheckerSpec("tokens", case_sensitive=True)
SPACE = CheckerSpec("tokens", space_sensitive=True)
BOTH = CheckerSpec("tokens", abs_tolerance=1e-5, rel_tolerance=1e-5)
ABSOLUTE = CheckerSpec("tokens", abs_tolerance=1e-5)
RELATIVE = CheckerSpec("tokens", rel_tolerance=1e-5)
HALF = CheckerSpec("tokens", abs_tolerance=0.5, rel_tolerance=0.5)
SAME_NUMBER = CheckerSpec("tokens", abs_tolerance=SMALLEST_TOLERANCE)

# checker, answer, output
RIGHT = [
    (PLAIN, "", ""),
    (PLAIN, "", " \n"),
    (PLAIN, "1 2 3\n", "1\n2\n3"),
    (PLAIN, "1 2", "\r\n 1\t\v\f2 \r\n"),
    (PLAIN, "Yes", "yES"),
    (CASE, "Yes", "Yes\n"),
    (SPACE, "a b\n", "A b\n"),
    (SPACE, "", ""),
    (BOTH, "0.0314", "3.14000000e-2"),
    (BOTH, "1.0", "+1"),
    (BOTH, "1", "1."),
    (BOTH, "0.5", ".5E+0"),
    (BOTH, "-0", "0"),
    (BOTH, "1e6", "1000009.9"),
    (BOTH, "case 1: 0.5", "Case 1: 0.500001"),
    (ABSOLUTE, "1e9", "1000000000.000009"),
    (RELATIVE, "1e9", "1000009999"),
    # Once there is a tolerance, integers are numbers like all others.
    (BOTH, "1000000", "1000001"),
    # Right by the decimals as they are written, wrong by doubles.
    (ABSOLUTE, "0.3", "0.30001"),
    (RELATIVE, "3", "3.00003"),
    (CheckerSpec("tokens", abs_tolerance=0.1), "0.2", "0.3"),
    (BOTH, "inf", "INF"),
    (BOTH, "NaN", "nan"),
    (BOTH, "0x10", "0X10"),
    (BOTH, "1e999", "1E999"),
    (BOTH, "1e-99999999999999999999", "0"),
    (BOTH, "0." + "3" * 10_000, "0.333333"),
    (SAME_NUMBER, "0.50", "5e-1"),
]
# checker, answer, output, reason, message
WRONG = [
    (
        PLAIN,
        "1 2",
        "1 3",
        Reason.WRONG_VALUE,
        "line 1 of the output: token 2: expected '2', got '3'",
    ),
    (
        PLAIN,
        "1\n2\n3",
        "1\n2\n4",
        Reason.WRONG_VALUE,
        "line 3 of the output: token 3: expected '3'",
    ),
    (
        PLAIN,
        "1 2",
        "1",
        Reason.WRONG_SHAPE,
        "line 1 of the output: token 2: expected '2', got the end",
    ),
    (
        PLAIN,
        "1",
        "",
        Reason.WRONG_SHAPE,
        "line 1 of the output: token 1: expected '1', got the end",
    ),
    (
        PLAIN,
        "1",
        "1\n2",
        Reason.WRONG_SHAPE,
        "line 2 of the output: token 2: expected the end, got '2'",
    ),
    (
        PLAIN,
        "1.0",
        "1",
        Reason.WRONG_VALUE,
        "line 1 of the output: token 1: expected '1.0', got '1'",
    ),
    (
        PLAIN,
        "a b",
        "ab",
        Reason.WRONG_VALUE,
        "line 1 of the output: token 1: expected 'a', got 'ab'",
    ),
    # White space beyond ASCII is no white space; letters beyond ASCII have a case.
    (PLAIN, "a b", "a\u00a0b", Reason.WRONG_VALUE, "line 1 of the output: token 1"),
    (PLAIN, "É", "é", Reason.WRONG_VALUE, "line 1 of the output: token 1: expected 'É', got 'é'"),
    (PLAIN, "é", "e\u0301", Reason.WRONG_VALUE, "line 1 of the output: token 1"),
    (CASE, "Yes", "yes", Reason.WRONG_VALUE, "line 1 of the output: token 1"),
    (
        SPACE,
        "a b\n",
        "a  b\n",
        Reason.WRONG_SHAPE,
        "line 1 of the output: space 2: expected ' ', got '  '",
    ),
    (
        SPACE,
        "a b\n",
        "a b",
        Reason.WRONG_SHAPE,
        "line 1 of the output: space 3: expected '\\n', got ''",
    ),
    (SPACE, "a\nb", "a\r\nb", Reason.WRONG_SHAPE, "line 1 of the output: space 2"),
    (SPACE, "a", " a", Reason.WRONG_SHAPE, "line 1 of the output: space 1: expected '', got ' '"),
    (
        BOTH,
        "1.0",
        "1.1",
        Reason.OFF_TOLERANCE,
        "line 1 of the output: token 1: expected '1.0', got '1.1'",
    ),
    (BOTH, "1.0", "one", Reason.WRONG_VALUE, "line 1 of the output: token 1"),
    (ABSOLUTE, "1e9", "1000000000.1", Reason.OFF_TOLERANCE, "line 1 of the output: token 1"),
    (RELATIVE, "0", "1e-9", Reason.OFF_TOLERANCE, "line 1 of the output: token 1"),
    (ABSOLUTE, "0.3", "0.3000100000000001", Reason.OFF_TOLERANCE, "line 1 of the output: token 1"),
    (HALF, "inf", "-inf", Reason.WRONG_VALUE, "line 1 of the output: token 1"),
    (HALF, "inf", "0", Reason.WRONG_VALUE, "line 1 of the output: token 1"),
    (HALF, "inf", "infinity", Reason.WRONG_VALUE, "line 1 of the output: token 1"),
    (HALF, "nan", "0", Reason.WRONG_VALUE, "line 1 of the output: token 1"),
    (HALF, "0", "nan", Reason.NAN, "line 1 of the output: token 1"),
    (HALF, "0", "-NaN", Reason.NAN, "line 1 of the output: token 1"),
    (HALF, "0", "inf", Reason.WRONG_VALUE, "line 1 of the output: token 1"),
    (HALF, "0", "1e999", Reason.WRONG_VALUE, "line 1 of the output: token 1"),
    (HALF, "0", "0x0", Reason.WRONG_VALUE, "line 1 of the output: token 1"),
    (HALF, "0", "0_0", Reason.WRONG_VALUE, "line 1 of the output: token 1"),
    (HALF, "0", "\u0660", Reason.WRONG_VALUE, "line 1 of the output: token 1"),
    (HALF, "0", ".", Reason.WRONG_VALUE, "line 1 of the output: token 1"),
    (HALF, "0", "1e", Reason.WRONG_VALUE, "line 1 of the output: token 1"),
    (
        SAME_NUMBER,
        "0.5",
        "0.5000000000000001",
        Reason.OFF_TOLERANCE,
        "line 1 of the output: token 1",
    ),
]


@pytest.mark.parametrize(("spec", "answer", "output"), RIGHT)
def test_an_output_that_the_validator_accepts(spec: CheckerSpec, answer: str, output: str) -> None:
    assert compare_tokens(spec, answer, output) == Comparison(passed=True)


@pytest.mark.parametrize(("spec", "answer", "output", "reason", "message"), WRONG)
def test_the_first_token_or_space_that_differs_is_named(
    spec: CheckerSpec, answer: str, output: str, reason: Reason, message: str
) -> None:
    compared = compare_tokens(spec, answer, output)
    assert (compared.passed, compared.reason) == (False, reason)
    assert compared.message.startswith(message)


def test_it_is_the_checker_of_stdio_problems() -> None:
    assert check(PLAIN, STDIO_SIGNATURE, {"input": "1"}, "a b", "A\nB").passed
    assert not check(PLAIN, STDIO_SIGNATURE, {"input": "1"}, "a b", "a").passed


@pytest.mark.parametrize("output", ["\ud800", "\x00", "\ufeff1"])
def test_what_is_no_text_is_a_token_like_any_other(output: str) -> None:
    assert compare_tokens(PLAIN, output, output).passed
    assert not compare_tokens(PLAIN, "1", output).passed


def test_a_message_stays_short_whatever_was_printed() -> None:
    assert len(compare_tokens(PLAIN, "a", "x" * 100_000).message) < 250


@given(st.lists(st.text(st.characters(codec="ascii", categories=["L", "N", "P"]), min_size=1)))
def test_white_space_between_tokens_does_not_matter(tokens: list[str]) -> None:
    assert compare_tokens(CASE, " ".join(tokens), "\n\n" + "\r\n".join(tokens) + "\n").passed


@given(st.text(), st.text())
def test_sensitive_to_case_and_space_only_the_same_output_is_right(left: str, right: str) -> None:
    spec = CheckerSpec("tokens", case_sensitive=True, space_sensitive=True)
    assert compare_tokens(spec, left, right).passed == (left == right)


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(["r", "e", "f"]))
def test_any_spelling_of_a_number_is_that_number(number: float, form: str) -> None:
    spelled = (
        repr(number) if form == "r" else f"{number:.20e}" if form == "e" else f"{number:.400f}"
    )
    assert compare_tokens(RELATIVE, repr(number), spelled).passed
    assert math.isclose(float(spelled), number, abs_tol=5e-324)
