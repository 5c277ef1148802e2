"""Rules of lint on promises, translations and formulas: each test breaks one thing."""

from dataclasses import replace

import pytest
from package_builder import (
    JUDGE_YAML,
    PROBLEM_YAML,
    REFERENCE,
    STATEMENTS,
    case_texts,
    load_package,
    package_texts,
)

from judge.domain.problem import CheckerSpec, Mode
from judge.packages.lint import lint
from judge.packages.package import Package
from judge.packages.proof import PROOF_NAME, Proof, write_proof

ENGLISH = "statement/problem.en.md"
LOCALES = ("vi", "ja", "en")
GROUP = "data/secret/10-basic/test_group.yaml"
EDGES = "data/secret/20-edges/test_group.yaml"
ALONE: dict[str, str | bytes | None] = {
    "submissions/accepted/loop.py": None,
    "submissions/submissions.yaml": "wrong_answer/not_strict.py: {required: [WA]}\n",
}
MORE_WORDS = "Count whatever is above the threshold that you are given.\n"


def found(package: Package) -> list[tuple[str, str, str]]:
    """Code, place and severity of all findings."""
    return [(each.code, each.where, each.severity) for each in lint(package)]


def found_in(changes: dict[str, str | bytes | None]) -> list[tuple[str, str, str]]:
    return found(load_package(changes))


def judge_yaml(old: str, new: str) -> dict[str, str]:
    assert old in JUDGE_YAML
    return {"judge.yaml": JUDGE_YAML.replace(old, new)}


def limits(text: str) -> dict[str, str]:
    return {"problem.yaml": PROBLEM_YAML.replace("memory: 256", f"memory: 256, {text}")}


def with_checker(checker: CheckerSpec, changes: dict[str, str] | None = None) -> Package:
    package = load_package(changes)
    return replace(package, problem=replace(package.problem, checker=checker))


class TestProof:
    def proof(self, content_hash: str) -> dict[str, bytes]:
        return {PROOF_NAME: write_proof(Proof(content_hash, "0.1.0", 1, 1, 4))}

    def test_a_proof_of_this_content_is_fresh(self):
        assert found_in(self.proof(load_package().content_hash)) == []

    @pytest.mark.parametrize("content", ["0" * 64, None])
    def test_any_other_is_stale(self, content):
        changes = self.proof(content) if content else {PROOF_NAME: b"{}"}
        assert found_in(changes) == [("stale-proof", PROOF_NAME, "warning")]


class TestGroups:
    def test_cases_to_reveal_that_no_group_shows(self):
        hidden = "full_feedback: false\n"
        texts = package_texts()
        both = {path: texts[path] + hidden for path in (GROUP, EDGES)}
        assert found_in({GROUP: texts[GROUP] + hidden}) == []
        assert found_in(both) == [("nothing-to-reveal", "judge.yaml:19", "warning")]
        assert found_in(both | judge_yaml("cases: 2", "cases: 0")) == []

    def test_groups_that_wait_for_each_other(self):
        texts = package_texts()
        first = {GROUP: texts[GROUP] + "require_pass: secret/20-edges\n"}
        assert found_in(first) == []
        both = first | {EDGES: texts[EDGES] + "require_pass: [sample, secret/10-basic]\n"}
        assert found_in(both) == [
            ("group-circle", f"{GROUP}:3", "error"),
            ("group-circle", f"{EDGES}:2", "error"),
        ]


class TestChecker:
    def test_a_custom_checker_needs_its_program(self):
        custom = CheckerSpec("custom")
        assert found(with_checker(custom)) == [("missing-checker", "judge.yaml:13", "error")]
        program = {"output_validator/check.py": "def check(a, r, e):\n    return True\n"}
        assert found(with_checker(custom, program)) == []

    def test_a_program_that_is_never_asked(self):
        program = {"output_validator/check.py": "x"}
        assert found_in(program) == [("unused-checker", "output_validator/check.py", "warning")]


class TestLimits:
    @pytest.mark.parametrize(
        "stated",
        [
            "validation_time: 5000",
            "validation_memory: 1",
            "validation_output: 5000",
            "compilation_time: 5000",
            "compilation_memory: 1",
            "code: 100000",
            "output: 100000",
            "time_resolution: 100",
            "time_multipliers: {ac_to_time_limit: 1000}",
            "time_multipliers: {time_limit_to_tle: 1000}",
        ],
    )
    def test_a_limit_of_kattis_out_of_range(self, stated):
        assert found_in(limits(stated)) == [("limit-out-of-range", "problem.yaml:6", "error")]

    def test_limits_in_range(self):
        assert found_in(limits("validation_time: 60, code: 128, time_resolution: 0.1")) == []


class TestTranslations:
    @pytest.mark.parametrize("kind", ["statement/problem", "solution/solution", "hints/1"])
    def test_a_text_that_is_the_same_in_two_locales(self, kind):
        text = MORE_WORDS
        if kind.startswith("statement"):
            text = STATEMENTS["en"] + MORE_WORDS
        same = {f"{kind}.{locale}.md": text for locale in ("ja", "en")}
        assert ("untranslated", f"{kind}.ja.md", "error") in found_in(same)
        assert {code for code, _, _ in found_in(same)} <= {"untranslated", "numbers-differ"}

    def test_formulas_and_code_need_no_translation(self):
        text = "$$\\sum_i \\operatorname{softmax}(x)_i$$\n\n```\ntotal = sum(values) + limit\n```\n"
        assert found_in({f"solution/solution.{each}.md": text for each in LOCALES}) == []

    def test_an_explanation_that_is_the_same_in_two_locales(self):
        copied = "2 values are above 1 in this list of numbers.\n"
        changed = {
            f"statement/problem.{each}.md": STATEMENTS[each].partition("{{nextsample}}")[0]
            + "{{nextsample}}\n\n"
            + (copied if each != "vi" else "Có 2 giá trị lớn hơn 1.\n")
            for each in LOCALES
        }
        assert found_in(changed) == [("untranslated", "statement/problem.ja.md:5", "error")]

    def test_explanations_that_change_places(self):
        def statement(first: int, second: int, word: str) -> str:
            shown = "{{nextsample}}"
            return f"{word} $x$\n\n{shown}\n{word} {first}\n\n{shown}\n{word} {second}\n"

        texts = {ENGLISH: statement(1, 2, "one"), "statement/problem.vi.md": statement(1, 2, "v")}
        samples = case_texts("sample/02", [7.0], 5.0, 1)
        swapped = texts | {"statement/problem.ja.md": statement(2, 1, "j")}
        assert found_in(samples | swapped) == [
            ("sample-explanation-differs", "statement/problem.ja.md:3", "error"),
            ("sample-explanation-differs", "statement/problem.ja.md:6", "error"),
        ]
        right = texts | {"statement/problem.ja.md": statement(1, 2, "j")}
        assert found_in(samples | right) == []

    def test_numbers_of_a_hint_or_solution_that_differ_are_a_warning(self):
        assert found_in({"hints/2.ja.md": "2 (ja)\n\n7\n"}) == [
            ("numbers-differ", "hints/2.ja.md:3", "warning")
        ]
        assert found_in({"solution/solution.vi.md": "$n$ 7"}) == [
            ("numbers-differ", "solution/solution.vi.md:1", "warning")
        ]


class TestFormulas:
    @pytest.mark.parametrize(
        "prose",
        [
            "accept when pi(xi)qi(xi) is large",
            "the sum ∑jezj is one",
            "take √x of it",
            "divided by Σl=1k e(zil)",
            "the value x_i wins",
            "p_{ij} wins",
            "e^x wins",
            "take 2 of x^{-1}",
        ],
    )
    @pytest.mark.parametrize("path", ["hints/1.{}.md", "solution/solution.{}.md"])
    def test_a_formula_that_was_pasted_as_text(self, prose, path):
        number = "1" if "hints" in path else "$n$"
        changes = {
            path.format(each): f"{number} ({each})\n\n{each}\n{prose}" for each in ("vi", "ja")
        }
        result = [each for each in found_in(changes) if each[0] != "numbers-differ"]
        assert result == [
            ("flattened-formula", f"{path.format(each)}:4", "error") for each in ("ja", "vi")
        ]

    @pytest.mark.parametrize(
        "prose",
        [
            "num_accepted and `x_i` and $x_i$",
            "f(x) is g(x)",
            "a snake_case_name",
            "the letters Σ and Π",
            "`∑`",
            "*_a_*",
            "top-k",
        ],
    )
    def test_prose_and_code_are_no_formulas(self, prose):
        assert found_in({"hints/1.en.md": f"1 {prose}"}) == []

    def test_a_text_of_one_long_word_is_read_in_time(self):
        """Work that grows with the square of a text's length would take minutes here."""
        word = "1,234" * 13_000
        assert found_in({f"hints/1.{each}.md": f"{word} {each}" for each in LOCALES}) == []

    def test_tex_in_a_text_that_is_shown_as_it_is(self):
        docs = judge_yaml("limit: the threshold", "limit: the \\theta")
        assert found_in(docs) == [("leftover-backslash", "judge.yaml:12", "error")]
        hint = judge_yaml("en: Read step 1 again", "en: Read $s$ again")
        assert found_in(hint) == [("leftover-dollar", "judge.yaml:25", "warning")]
        name = {"problem.yaml": PROBLEM_YAML.replace("en: Count", "en: \\Count")}
        assert found_in(name) == [("leftover-backslash", "problem.yaml:3", "error")]


class TestReferenceStandsIn:
    """Where accepted/ has no Python program, the reference is it."""

    def test_the_reference_is_an_accepted_submission(self):
        package = load_package(ALONE)
        assert found(package) == []
        (accepted,) = [each for each in package.submissions if each.is_accepted]
        assert (accepted.path, accepted.place) == ("accepted/reference.py", "reference.py")
        assert accepted.source == REFERENCE.encode()

    def test_it_is_not_where_there_is_another(self):
        paths = [each.path for each in load_package().submissions]
        assert paths == ["accepted/loop.py", "wrong_answer/not_strict.py"]

    def test_it_is_not_where_python_is_not_offered(self):
        java = {"problem.yaml": PROBLEM_YAML.replace("[python3]", "[java]")}
        assert ("missing-accepted", "submissions/accepted", "error") in found_in(ALONE | java)


class TestStdio:
    """A package without a function may be one that was made for another judge."""

    def codes(self, changes: dict[str, str | None]) -> set[tuple[str, str]]:
        package = load_package(changes)
        stdio = replace(package, problem=replace(package.problem, mode=Mode.STDIO))
        return {(code, severity) for code, _, severity in found(stdio)}

    def test_what_it_has_is_translated_before_it_is_published(self):
        gone = {f"statement/problem.{each}.md": None for each in ("vi", "ja")}
        gone |= {"hints/1.vi.md": None, "solution/solution.ja.md": None}
        gone |= judge_yaml("ja: 境界, ", "")
        assert self.codes(gone) == {
            ("missing-statement", "error"),
            ("missing-hint", "error"),
            ("missing-solution", "error"),
            ("missing-group-title", "error"),
        }

    @pytest.mark.parametrize("rest", [None, " \n"])
    def test_a_solution_that_no_locale_has_is_a_warning(self, rest):
        gone = {f"solution/solution.{each}.md": None for each in ("vi", "ja")}
        assert self.codes(gone | {"solution/solution.en.md": rest}) == {
            ("missing-solution", "warning")
        }

    def test_a_copy_is_no_translation(self):
        text = STATEMENTS["en"] + MORE_WORDS
        same = {f"statement/problem.{each}.md": text for each in LOCALES}
        assert ("untranslated", "error") in self.codes(same)

    def test_a_translation_with_another_number_in_a_formula_is_none(self):
        changed = {ENGLISH: STATEMENTS["en"].replace("> 2$", "> 1$")}
        assert ("numbers-differ", "error") in self.codes(changed)

    def test_tools_of_functions_are_not_asked_for(self):
        names = ("reference.py", "margins.py", "generators/cases.py")
        assert self.codes(dict.fromkeys(names)) == set()

    def test_samples_may_follow_the_statement(self):
        plain = {f"statement/problem.{each}.md": f"{each} $x$" for each in LOCALES}
        assert self.codes(plain) == set()
