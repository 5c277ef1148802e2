"""Texts to HTML: what an author writes and what a reader may get."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.packages.formulas import to_mathml
from judge.packages.render import Fault, render_statement, render_text
from judge.packages.sanitize import sanitize

MARKDOWN = st.text(r"ab \$_^{}&#<>*`[]()!|-" + "\n\"'" + "é", max_size=60)


def fault(text: str) -> tuple[str, int]:
    (found,) = render_text(text).faults
    return found.code, found.line


class TestFormulas:
    def test_a_fraction_keeps_its_bar(self):
        html = render_text(r"so $\frac{p}{q}$").html
        assert "<mfrac><mrow><mi>p</mi></mrow><mrow><mi>q</mi></mrow></mfrac>" in html

    def test_the_source_is_the_text_alternative(self):
        assert (
            'alttext="a &lt; \\text{b&quot;c}"'
            in to_mathml('a < \\text{b"c}', display=False).markup
        )

    def test_inline_and_display(self):
        html = render_text("a $x$ b\n\n$$\ny\n$$\n").html
        assert 'display="inline"><mrow><mi>x</mi>' in html
        assert 'display="block"><mrow><mi>y</mi>' in html

    @pytest.mark.parametrize(
        ("latex", "markup"),
        [
            (r"\arg\max_i x", '<mo movablelimits="true">argmax</mo>'),
            (r"\arg \min x", '<mo movablelimits="true">argmin</mo>'),
            (r"\argmax x", '<mo movablelimits="true">argmax</mo>'),
            (r"\operatorname{argmax}_i x", "<mo>argmax</mo>"),
            (r"\softmax(x)", "<mo>softmax</mo>"),
            (r"\mathrm{softmax}(x)", "<mi>softmax</mi>"),
            (r"\lfloor x \rfloor", 'form="prefix">&#x0230A;</mo>'),
            (r"\text{a\_b}", "<mtext>a_b</mtext>"),
            (r"\begin{cases} 1 & x > 0 \\ 0 & y \end{cases}", "<mtable>"),
            (r"\begin{aligned} a &= b \\ &= c \end{aligned}", "<mtable"),
            (r"\sum_{i=1}^{k} p_i", "<munderover><mo>&#x02211;</mo>"),
            (r"\max(0, x)", "<mo>max</mo>"),
        ],
    )
    def test_what_our_texts_use_is_known(self, latex, markup):
        formula = to_mathml(latex, display=True)
        assert formula.fault == ""
        assert markup in formula.markup

    @pytest.mark.parametrize("latex", [r"\frac{a}{", r"\foo{x}", "a_", "a_b_c", r"\left(", "}{"])
    def test_a_bad_formula_is_a_fault_and_still_readable(self, latex):
        formula = to_mathml(latex, display=False)
        assert latex in formula.fault
        assert formula.markup

    @pytest.mark.parametrize("latex", ["", "x" * 5000, "a & b", "{" * 3000])
    def test_other_formulas_that_cannot_be_meant(self, latex):
        assert to_mathml(latex, display=False).fault


class TestFaults:
    def test_a_fault_knows_its_line(self):
        text = "first $x$\nsecond $\\foo$\n\n| a |\n|---|\n| $\\bar_$ |\n\n$$\ny\n$$\nlast $z_$\n"
        lines = [(each.code, each.line) for each in render_text(text).faults]
        assert lines == [("bad-formula", 2), ("bad-formula", 6), ("bad-formula", 11)]

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            (r"an \alpha outside", "leftover-backslash"),
            ("price 5$", "leftover-dollar"),
            ("{{max_v}}", "unknown-constant"),
            ("> {{nextsample}}", "misplaced-sample"),
        ],
    )
    def test_what_does_not_render_as_meant(self, text, code):
        assert fault("ok\n\n" + text) == (code, 3)

    def test_code_may_hold_anything(self):
        text = "`a\\b $x {{y}}`\n\n```python\nx = '\\n$' # {{nextsample}}\n```\n"
        rendered = render_text(text)
        assert rendered.faults == ()
        assert '<pre translate="no"><code class="language-python">' in rendered.html

    @given(MARKDOWN)
    def test_no_text_raises(self, text):
        rendered = render_statement(text, 2)
        assert [part for part in rendered.parts if isinstance(part, int)] == [1, 2]


class TestStatements:
    def parts(self, text, samples=2, constants=None):
        return render_statement(text, samples, constants).parts

    def test_a_statement_is_split_where_samples_stand(self):
        text = "A\n\n{{nextsample}}\n\nB\n\n{{nextsample}}\n\nC\n"
        assert self.parts(text) == ("<p>A</p>\n", 1, "<p>B</p>\n", 2, "<p>C</p>\n")

    def test_a_macro_ends_the_paragraph_around_it(self):
        assert self.parts("A\n{{nextsample}}\nB", 1) == ("<p>A</p>\n", 1, "<p>B</p>\n")

    def test_remaining_samples_and_samples_never_named_are_shown(self):
        assert self.parts("{{nextsample}}\n\n{{remainingsamples}}\n\nB", 3) == (
            1,
            2,
            3,
            "<p>B</p>\n",
        )
        assert self.parts("A", 2) == ("<p>A</p>\n", 1, 2)

    def test_more_macros_than_samples_show_nothing_more(self):
        assert self.parts("{{nextsample}}\n\n{{nextsample}}", 1) == (1,)

    def test_a_macro_in_code_or_in_a_list_is_text(self):
        parts = self.parts("```\n{{nextsample}}\n```\n\n- {{nextsample}}\n", 1)
        assert parts[-1] == 1
        assert parts[0].count("{{nextsample}}") == 2

    def test_links_defined_after_a_sample_reach_before_it(self):
        parts = self.parts("[a][b]\n\n{{nextsample}}\n\n[b]: https://b.example\n", 1)
        assert 'href="https://b.example"' in parts[0]

    def test_constants_are_filled_in_as_text(self):
        constants = {"max_v": 1000, "word": "<b>*x*</b>\n{{nextsample}}"}
        (html,) = self.parts("$V = {{max_v}}$, {{word}}", 0, constants)
        assert "<mn>1000</mn>" in html
        assert "&lt;b&gt;<em>x</em>&lt;/b&gt;" in html


class TestSafety:
    @pytest.mark.parametrize(
        "text",
        [
            "<script>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            "[x](javascript:alert(1))",
            "[x](data:text/html,1)",
            "![x](https://x.example/a.png)",
            "<javascript:alert(1)>",
            '[x](https://a.example "\\" onmouseover=\\"alert(1)")',
            r"$\href{javascript:alert(1)}{x}$",
            r"$\text{<script>alert(1)</script>}$",
            r"$<img src=x onerror=alert(1)>$",
            '```"onmouseover=alert(1)\nx\n```',
            "# title <svg onload=alert(1)>",
        ],
    )
    def test_nothing_active_reaches_a_reader(self, text):
        html = render_text(text).html
        lowered = html.lower()
        assert "<script" not in lowered
        assert "<img" not in lowered
        assert "<svg" not in lowered
        assert 'href="javascript' not in lowered
        assert 'href="data' not in lowered
        assert " onmouseover=" not in lowered.replace("&quot; onmouseover=", "")

    def test_the_allow_list_drops_what_markdown_would_never_make(self):
        hostile = (
            '<math href="javascript:1"><mrow href="javascript:1" onclick="1"><mi>x</mi>'
            "<annotation-xml encoding='text/html'><script>1</script></annotation-xml>"
            '</mrow></math><a href="/relative" id="x" style="y" onclick="1">z</a>'
            '<code class="evil">c</code><form><input></form>'
        )
        clean = sanitize(hostile)
        assert "javascript" not in clean
        assert "script" not in clean
        for word in ("onclick", "style", "id=", "href", "class", "form", "input"):
            assert word not in clean
        assert "<mi>x</mi>" in clean
        assert ">z</a>" in clean

    def test_mathml_survives(self):
        markup = to_mathml(r"\left( \frac{a}{b} \right)^2 \quad \sqrt{x}", display=True).markup
        assert sanitize(markup).count("<m") == markup.count("<m")

    @given(MARKDOWN)
    def test_sanitizing_again_changes_nothing(self, text):
        html = render_text(text).html
        assert sanitize(html) == html


def test_faults_are_plain_values():
    assert render_text(r"\x").faults == (
        Fault("leftover-backslash", 1, r"a backslash stays in the text: '\\x'"),
    )


class TestConstants:
    def test_a_constant_stands_in_the_text(self):
        assert render_text("at most {{most}}", {"most": 7}).html == "<p>at most 7</p>\n"

    def test_many_long_ones_are_a_fault_and_leave_the_text_as_it_is(self):
        text = "{{a}} " * 10_000
        rendered = render_text(text, {"a": "b" * 60})
        assert [one.code for one in rendered.faults][:1] == ["text-too-large"]
        assert len(rendered.html) < 2 * len(text)
        statement = render_statement(text, 0, {"a": "b" * 60})
        assert statement.faults[0].code == "text-too-large"
