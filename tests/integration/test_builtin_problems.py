"""The built-in problems prove themselves, and their committed proofs speak of what is committed."""

import pytest

from judge.grading.pipeline import Grader
from judge.grading.prove import prove
from judge.packages.builtin import builtin_slugs, load_named
from judge.packages.lint import is_fit, lint
from judge.packages.proof import find_proof, proves

SLUGS = ("sample_token", "verify_draft_sequence")


def test_both_problems_are_there() -> None:
    assert set(SLUGS) <= set(builtin_slugs())


@pytest.mark.parametrize("slug", SLUGS)
def test_package_has_no_lint_error(slug: str) -> None:
    findings = lint(load_named(slug), {*builtin_slugs()})
    assert is_fit(findings), [str(finding) for finding in findings]


@pytest.mark.parametrize("slug", SLUGS)
def test_every_claim_of_the_package_holds(slug: str) -> None:
    package = load_named(slug)
    with Grader() as grader:
        report = prove(package, grader, lambda step: None)
    assert [str(finding) for finding in report.findings] == []
    assert all(row.as_expected for row in report.rows)
    assert report.count(accepted=True) >= 8
    assert report.count(accepted=False) >= 25


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
