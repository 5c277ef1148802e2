"""The built-in problems prove themselves, and their committed proofs speak of what is committed."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from judge_data import JUDGE_DATA, require

from judge.domain.verdicts import Verdict
from judge.grading.pipeline import Grader
from judge.grading.proof import ProofOptions, prove
from judge.packages.builtin import builtin_slugs, load_named
from judge.packages.lint import is_fit, lint
from judge.packages.package import Package
from judge.packages.proof import find_proof, proves
from judge.packages.submissions import ExampleSubmission

LANGUAGES = ("python", "cpp", "java")
SLUGS = ("sample_token", "verify_draft_sequence")


def test_both_problems_are_there() -> None:
    assert set(SLUGS) <= set(builtin_slugs())


@pytest.mark.parametrize("slug", SLUGS)
def test_package_has_no_lint_error(slug: str) -> None:
    findings = lint(load_named(slug), {*builtin_slugs()})
    assert is_fit(findings), [str(finding) for finding in findings]


@pytest.mark.parametrize("slug", SLUGS)
def test_package_has_right_and_wrong_submissions_in_every_language(slug: str) -> None:
    submissions = load_named(slug).submissions
    for language in LANGUAGES:
        own = [submission for submission in submissions if submission.language == language]
        assert sum(submission.is_accepted for submission in own) >= 2, language
        assert sum(not submission.is_accepted for submission in own) >= 8, language


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
def test_one_right_and_one_wrong_submission_a_language_come_to_what_they_should(slug: str) -> None:
    """`judge problems verify` runs all of them; continuous integration calls it."""
    package = load_named(slug)
    with Grader(data_dir=JUDGE_DATA) as grader:
        for language in LANGUAGES:
            require(grader, language)
        few = replace(package, submissions=tuple(one_of_each(package)))
        report = prove(few, grader, lambda step: None, ProofOptions(fresh_inputs=10))
    assert [str(finding) for finding in report.findings] == []
    assert [row.verdict == Verdict.ACCEPTED for row in report.rows] == [True, False] * 3


def one_of_each(package: Package) -> Iterator[ExampleSubmission]:
    for language in LANGUAGES:
        own = [each for each in package.submissions if each.language == language]
        yield next(each for each in own if each.is_accepted)
        yield next(each for each in own if each.path.startswith("wrong_answer/"))


def test_no_package_holds_a_driver() -> None:
    """Drivers are generated from the signature; a package only holds submissions and tools."""
    for slug in builtin_slugs():
        paths = list(load_named(slug).files)
        code = {path for path in paths if path.endswith((".cpp", ".cc", ".java", ".hpp", ".h"))}
        assert {path for path in code if not path.startswith("submissions/")} == set()


@pytest.mark.parametrize("slug", SLUGS)
def test_committed_proof_is_of_this_content(slug: str) -> None:
    package = load_named(slug)
    proof = find_proof(package.files)
    assert proof is not None
    assert proves(proof, package)


@pytest.mark.parametrize("slug", SLUGS)
def test_problem_keeps_the_promises_of_its_kind(slug: str) -> None:
    problem = load_named(slug).problem
    hidden = [case for case in problem.cases if case.group != "sample"]
    assert len(hidden) >= 30
    assert problem.points == 100
    assert sum(group.max_score for group in problem.groups) == 100
    assert (problem.limits.cpu_ms, problem.limits.memory_kb) == (6000, 512 * 1024)
    assert all({"vi", "ja", "en"} <= set(group.title) for group in problem.groups)
