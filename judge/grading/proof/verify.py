"""Lint, then proof: what has to hold before anything of a package may be published."""

from collections.abc import Collection
from dataclasses import replace

from judge.errors import Finding
from judge.grading.pipeline import Grader
from judge.grading.proof.prove import DEFAULTS, OnProgress, ProofOptions, prove
from judge.grading.proof.report import ProofReport, unproved
from judge.packages.lint import is_fit, lint
from judge.packages.package import Package


def verify(
    package: Package,
    known: Collection[str],
    grader: Grader,
    on_progress: OnProgress,
    options: ProofOptions = DEFAULTS,
) -> ProofReport:
    """The report on a package; nothing of one with a lint error or without a test case is run.

    ``known`` are the names that a prerequisite may have besides the package's own.

    Raises:
        JudgeBroken: the sandbox broke; nothing was learned about the package.
    """
    # What is being proved anew says nothing about a proof from before.
    found = tuple(one for one in lint(package, {*known, package.slug}) if one.code != "stale-proof")
    if not is_fit(found):
        return unproved(package.slug, found, package.content_hash)
    if not package.problem.cases:
        no_cases = Finding("no-cases", "data", "without a test case nothing can be proved")
        return unproved(package.slug, (*found, no_cases), package.content_hash)
    report = prove(package, grader, on_progress, options)
    return replace(report, findings=found + report.findings)
