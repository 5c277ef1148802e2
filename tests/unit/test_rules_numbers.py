"""Numbers in translations: what must be the same, what may be said more or less often."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from package_builder import case_texts, load_package

from judge.packages.lint import lint
from judge.packages.rules.numbers import difference
from judge.packages.rules.spans import spans

STATEMENTS = {
    "vi": """\
Giữ lại $k$ token tốt nhất rồi rút một token. Điểm rút $u$ nằm trong $[0, 1)$.

* $1 \\le k \\le 1000$ và $0.1 \\le T \\le 2$.
* Nếu $k = 1$ thì đáp án luôn là token có logit lớn nhất, dù `random_value` là `0.5` hay số khác.

```python
kept = ranking[:2]  # giữ hai token đầu
```

{{nextsample}}

Hai logit bằng nhau, nên $c_1 = 0.5$; điểm rút 0.5 thuộc về token 1.
""",
    "ja": """\
上位 $k$ 個のトークンを残し、そこから一つを引きます。乱数 $u$ は $[0, 1)$ の値です。

* $1 \\le k \\le 1000$、$0.1 \\le T \\le 2$。
* $k = 1$ のときは、`random_value` が `0.5` でも何でも、logit が最大のトークンになります。

```python
kept = ranking[:2]  # 先頭の二つ
```

{{nextsample}}

二つの logit は等しく $c_1 = 0.5$ です。乱数 0.5 はトークン 1 のものです。
""",
    "en": """\
Keep the $k$ best tokens and draw one of them. The mark $u$ lies in $[0, 1)$.

* $1 \\le k \\le 1000$ and $0.1 \\le T \\le 2$.
* With $k = 1$ the largest logit wins, whether `random_value` is `0.5` or anything else.

```python
kept = ranking[:2]  # the first two
```

{{nextsample}}

The two logits are equal, so $c_1 = 0.5$; the mark 0.5 belongs to token 1.
""",
}
PATH = "statement/problem.{}.md"


def changed(locale: str, old: str, new: str) -> list[tuple[str, str, str]]:
    """Code, place and severity of what is found after a change in one translation."""
    assert old in STATEMENTS[locale]
    texts = STATEMENTS | {locale: STATEMENTS[locale].replace(old, new, 1)}
    package = load_package({PATH.format(each): text for each, text in texts.items()})
    return [(one.code, one.where, one.severity) for one in lint(package)]


def severities(locale: str, old: str, new: str) -> set[str]:
    return {severity for _, _, severity in changed(locale, old, new)}


def test_prose_may_spell_out_a_number_that_stands_elsewhere() -> None:
    assert severities("en", "one of them", "one of them") == set()
    assert changed("ja", "一つを引", "1 つを引") == [
        ("numbers-differ", PATH.format("ja") + ":1", "warning")
    ]


def test_a_small_number_may_be_spelled_out_everywhere_else() -> None:
    """As the number of steps is here, and that of equal logits in an explanation."""
    for locale, old, new in (
        ("vi", "Giữ lại", "Trong 3 bước, giữ lại"),
        ("ja", "二つの logit", "2 つの logit"),
    ):
        found = changed(locale, old, new)
        assert [(code, severity) for code, _, severity in found] == [("numbers-differ", "warning")]


@pytest.mark.parametrize(
    ("english", "other"),
    [
        ("within 30 steps", "trong các bước"),
        ("in 3 steps", "trong 4 bước"),
        ("2.5 of it", "một ít"),
    ],
)
def test_another_number_and_one_that_nobody_spells_out_are_errors(english: str, other: str) -> None:
    found = difference(english, other)
    assert found is not None
    assert found.is_certain


@pytest.mark.parametrize("locale", ["vi", "ja"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1 \\le k", "0 \\le k"),
        ("[0, 1)", "[1, 1)"),
        ("0.1 \\le T", "0.5 \\le T"),
        ("$k = 1$", "$k = 2$"),
        ("`0.5`", "`0.1`"),
        ("[:2]", "[:1]"),
    ],
)
def test_another_number_in_a_formula_or_in_code_is_an_error_though_it_stands_elsewhere(
    locale: str, old: str, new: str
) -> None:
    line = 1 + STATEMENTS[locale][: STATEMENTS[locale].index(old)].count("\n")
    assert ("numbers-differ", f"{PATH.format(locale)}:{line}", "error") in changed(locale, old, new)


def test_in_the_english_text_it_is_told_of_every_other() -> None:
    places = {
        where.partition(":")[0]
        for code, where, severity in changed("en", "1 \\le k", "0 \\le k")
        if (code, severity) == ("numbers-differ", "error")
    }
    assert places == {PATH.format("vi"), PATH.format("ja")}


def test_a_constraint_that_one_translation_lacks_is_an_error() -> None:
    assert "error" in severities("ja", "、$0.1 \\le T \\le 2$", "、$0.1 \\le T$")
    assert "error" in severities("vi", "$0.1 \\le T \\le 2$", "$T$")


def test_a_formula_that_is_merely_stated_again_is_a_warning() -> None:
    assert severities("vi", "thì đáp án", "thì, vì $k = 1$, đáp án") == {"warning"}


def test_a_formula_may_be_split_or_put_elsewhere() -> None:
    for new in ("$1 \\le k$, $k \\le 1000$", "$1000 \\ge k$, $k \\ge 1$"):
        assert severities("vi", "$1 \\le k \\le 1000$", new) == set()


def test_bounds_that_change_places_are_a_warning() -> None:
    base, other = ("$[0, 1)$ and $2 < 3$", "$2 < 3$, $[1, 0)$")
    found = difference(base, other)
    assert found is not None
    assert (found.is_certain, found.line) == (False, 1)
    assert found.message == "numbers of a formula in another order: 1, 0"
    assert difference(base, "$2 < 3$, $[0, 1)$") is None


def test_an_explanation_of_a_sample_quotes_the_same_formulas() -> None:
    """Both numbers stand in both translations as often as in English, but the samples' change."""

    def statement(first: str, second: str, word: str) -> str:
        shown = "{{nextsample}}"
        return f"{word} $x$\n\n{shown}\n{word} {first} 0 1\n\n{shown}\n{word} {second} 1 0\n"

    texts = {PATH.format(each): statement("$c = 0$", "$c = 1$", each) for each in ("vi", "en")}
    texts |= case_texts("sample/02", [7.0], 5.0, 1)
    swapped = {PATH.format("ja"): statement("$c = 1$", "$c = 0$", "ja")}
    found = lint(load_package(texts | swapped))
    assert [(one.code, one.where, one.severity) for one in found] == [
        ("sample-explanation-differs", PATH.format("ja") + f":{line}", "error") for line in (3, 6)
    ]
    assert "sample 1: other numbers in formulas and code: 0 (0x, not 1x)" in found[0].message


def test_an_explanation_with_another_answer_in_prose_is_an_error() -> None:
    """Both numbers stand in the explanation anyway; one word of the text tells which is meant."""
    said = {each: f"{each} $x$ 1 2\n\n{{{{nextsample}}}}\n{each}: 1, 2, 1\n" for each in STATEMENTS}
    texts = {PATH.format(each): text for each, text in said.items()}
    texts[PATH.format("vi")] = said["vi"].replace("1, 2, 1", "1, 2, 2")
    found = [one for one in lint(load_package(texts)) if one.severity == "error"]
    assert [(one.code, one.where) for one in found] == [
        ("sample-explanation-differs", PATH.format("vi") + ":3")
    ]
    texts[PATH.format("vi")] = said["vi"].replace("1, 2, 1", "1, 2")
    assert all(one.severity == "warning" for one in lint(load_package(texts)))


def test_of_a_hint_a_changed_bound_is_a_warning() -> None:
    texts = {f"hints/1.{each}.md": f"{each}: $0 < x$, $1 < y$ 1\n" for each in ("vi", "ja", "en")}
    texts["hints/1.ja.md"] = texts["hints/1.ja.md"].replace("$0", "$1")
    (found,) = lint(load_package(texts))
    assert (found.code, found.where, found.severity) == (
        "numbers-differ",
        "hints/1.ja.md:1",
        "warning",
    )


def test_comments_in_code_are_prose() -> None:
    base = "```cpp\nint k = 1;  // keep 2 of 3\n```\n2 3\n"
    found = difference(base, "```cpp\nint k = 1;  // giữ hai\n```\n2 3\n")
    assert found is not None
    assert not found.is_certain


def test_spans_are_formulas_and_code_with_their_lines() -> None:
    text = "a $x$\n`y`\n\n$$\nz\n$$\n\n* b\n  $v$\n\n```\nw\n```\n"
    found = [(span.line, span.content.strip(), span.is_formula) for span in spans(text)]
    assert found == [
        (1, "x", True),
        (2, "y", False),
        (4, "z", True),
        (9, "v", True),
        (12, "w", False),
    ]


FORMULAS = st.lists(st.sampled_from(["$x = 0$", "$1 < y$", "$[0, 1)$", "`2`", "$z$"]), min_size=1)


@given(FORMULAS, st.randoms(use_true_random=False))
def test_the_order_of_formulas_in_a_text_does_not_matter(formulas, random) -> None:
    shuffled = random.sample(formulas, len(formulas))
    assert difference(" and ".join(formulas), "、".join(shuffled)) is None


@given(FORMULAS, st.integers(0, 9))
def test_one_formula_with_another_number_is_always_found(formulas, number) -> None:
    base = " ".join([*formulas, f"$w = {number}$", "0 1 2 3 4 5 6 7 8 9"])
    found = difference(base, base.replace(f"$w = {number}$", f"$w = {(number + 1) % 10}$"))
    assert found is not None
    assert found.is_certain
