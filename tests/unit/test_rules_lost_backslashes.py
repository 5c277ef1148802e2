"""Commands in formulas that lost their backslash: found with their line, names left alone."""

import pytest
from package_builder import load_package

from judge.errors import Finding
from judge.packages.lint import lint

HINT = "hints/1.{}.md"
TEXTS = {
    "vi": "Bước 1: chia cho tổng,\ntức là {}, rồi so sánh.\n",
    "ja": "手順 1: 合計で割ります。\nつまり {} と比べます。\n",
    "en": "Step 1: divide by the sum,\nthat is {}, then compare.\n",
}


def found(formula: str) -> list[Finding]:
    """What is found in a hint that holds the formula on its second line, in every locale."""
    texts = {HINT.format(each): text.format(formula) for each, text in TEXTS.items()}
    return [one for one in lint(load_package(texts)) if one.code != "bad-formula"]


@pytest.mark.parametrize(
    ("formula", "command"),
    [
        ("$frac{a}{b}$", "frac"),
        ("$p_i = frac{e^{z_i}}{Z}$", "frac"),
        (r"$\hat{x} + bar{y}$", "bar"),
        ("$sqrt{x}$", "sqrt"),
        ("$sum_{i} x_i$", "sum"),
        ("$prod_{i=1}^n x_i$", "prod"),
        ("$n le 3$", "le"),
        ("$le 3$", "le"),
        ("$i in S$", "in"),
        ("$a cdot b$", "cdot"),
        ("$a leq b$", "leq"),
        ("$2cdot b$", "cdot"),
        ("$x_text{top}$", "text"),
        ("$operatorname{softmax}(z)$", "operatorname"),
        ("$operatorname*{argmax} z$", "operatorname"),
        (r"$\left( x right)$", "right"),
        (r"$begin{cases} 1 \end{cases}$", "begin"),
        ("$$mathrm{top}$$", "mathrm"),
    ],
)
def test_what_can_only_be_a_command_is_an_error_with_its_line(formula: str, command: str) -> None:
    findings = found(formula)
    assert {(one.code, one.severity) for one in findings} == {("lost-backslash", "error")}
    assert [one.where for one in findings] == [f"{HINT.format(e)}:2" for e in ("en", "ja", "vi")]
    assert f"write \\{command}" in findings[0].message


@pytest.mark.parametrize(
    ("formula", "command"),
    [(r"$$x = \\frac{a}{b}$$", "frac"), (r"$a \\cdot b$", "cdot"), (r"$\\sum_i x_i$", "sum")],
)
def test_a_doubled_backslash_is_an_error(formula: str, command: str) -> None:
    findings = [one for one in found(formula) if one.code == "lost-backslash"]
    assert {one.severity for one in findings} == {"error"}
    assert f"write \\{command}" in findings[0].message


def test_a_line_break_before_a_command_or_a_name_is_none() -> None:
    rows = r"$$\begin{matrix} a \\ b \\\alpha & c \\ \frac{1}{2} \\text \end{matrix}$$"
    assert [one for one in found(rows) if one.code == "lost-backslash"] == []


def test_a_pair_of_brackets_is_two_words() -> None:
    words = {one.message.split()[0] for one in found("$left( x right)$")}
    assert words == {"'left'", "'right'"}


@pytest.mark.parametrize(
    "formula",
    ["$alpha > 0$", "$2 alpha$", "$x_theta$", "$sum_i x_i$", "$a times b$", "$Delta^2$"],
)
def test_what_may_be_a_name_is_a_warning(formula: str) -> None:
    findings = [one for one in found(formula) if one.code == "lost-backslash"]
    assert {one.severity for one in findings} == {"warning"}
    assert len(findings) == 3


@pytest.mark.parametrize(
    "formula",
    [
        "$top_k$",
        r"$k_{max} \le max_v$",
        "$max(0, p - q)$",
        "$log x + exp(y)$",
        "$min_{i} x_i$",
        "$mid = (lo + hi) / 2$",
        "$sum_value + int_part$",
        "$sum(x)$",
        "$e^{in}$",
        "$ne^x$",
        "$right(i)$ and $left(i)$",
        "$mode$",
        r"$\text{sum of alpha in the text}$",
        r"$\operatorname{alpha}$",
        r"$\mathtt{alpha\_t}$",
        r"$\begin{cases} i & \text{for } c_j > u \\ k & \text{else} \end{cases}$",
        r"$\frac{a}{b} \cdot \sum_{i} x_i \le \alpha$",
        r"$\left( x \right)$",
        "`frac{a}{b}` and sum_of_parts",
        "```\nalpha = frac{a}\n```",
    ],
)
def test_names_text_code_and_whole_commands_are_left_alone(formula: str) -> None:
    assert "lost-backslash" not in {one.code for one in found(formula)}


def test_in_a_formula_of_several_lines_the_line_is_that_of_the_word() -> None:
    changes = {"hints/1.en.md": "Step 1\n\n$$\na =\nfrac{b}{c}\n$$\n"}
    places = [one.where for one in lint(load_package(changes)) if one.code == "lost-backslash"]
    assert places == ["hints/1.en.md:5"]


@pytest.mark.parametrize("formula", ["$\frac{a}{b}$", "$\beta$", "$a \times b$", "$\text{a}$"])
def test_what_an_escape_made_of_a_command_is_found(formula: str) -> None:
    """As a program writes it that forgot to double the backslash."""
    findings = [one for one in found(formula) if "control character" in one.message]
    assert [one.code for one in findings] == ["lost-backslash"] * 3
    assert {one.severity for one in findings} == {"error"}


def test_a_large_hostile_formula_takes_no_longer_than_its_size() -> None:
    """Quadratic work would take minutes here."""
    text = "$" + "left( " * 10_000 + "right )$"
    findings = lint(load_package({"hints/1.en.md": f"1 {text}"}))
    assert "lost-backslash" in {one.code for one in findings}
