"""The subset of LaTeX that becomes Markdown."""

import pytest

from judge.packages.kattis.latex import NotInSubset, to_markdown


@pytest.mark.parametrize(
    ("tex", "markdown"),
    [
        ("One.\n\nTwo.", "One.\n\nTwo."),
        (r"\textbf{bold} \emph{soft} \texttt{x\_1}", "**bold** *soft* `x_1`"),
        (r"\section*{Input}", "## Input"),
        (r"$x_1 < 2$ and \(y\)", "$x_1 < 2$ and $y$"),
        (r"\[ a + b \]", "$$a + b$$"),
        ("$$ a\n+ b $$", "$$a + b$$"),
        ("``so'' -- or --- so~on", "“so” \N{EN DASH} or — so on"),
        (r"100\% of \$5 \& more", r"100% of \$5 & more"),
        ("a * b_c", r"a \* b\_c"),
        ("seen % unseen\nagain", "seen again"),
        (r"\verb|a_b|", "`a_b`"),
        (r"\href{https://example.org/a\_b}{there}", "[there](https://example.org/a_b)"),
        ("\\begin{itemize}\n\\item one\n\\item two\n\\end{itemize}", "* one\n\n* two"),
        (r"{\ldots}", "…"),
        (r"\nextsample", "{{nextsample}}"),
    ],
)
def test_it_is_translated(tex: str, markdown: str) -> None:
    assert to_markdown(tex)[0].strip() == markdown


def test_the_name_is_taken_out() -> None:
    assert to_markdown("\\problemname{A \\& B}\nText.") == ("Text.\n", "A & B")


@pytest.mark.parametrize(
    "tex",
    [
        r"\includegraphics{x.png}",
        r"\begin{tabular}{l}a\end{tabular}",
        r"\item outside",
        r"\begin{itemize}\item a",
        r"\textbf{open",
        "closed}",
        r"\textbf alone",
        "$open",
        r"\end{itemize}",
        r"\newcommand{\x}{y}",
    ],
)
def test_whatever_else_there_is_ends_it(tex: str) -> None:
    with pytest.raises(NotInSubset):
        to_markdown(tex)
