"""What keeps a package that can be read from being a good one.

Owns the list of rules; the rules stand in judge.packages.rules, a module a subject. Lint runs no
code of the package: whether submissions do what is expected of them is grading's proof.
"""

from collections.abc import Callable, Collection, Iterable, Iterator

from judge.domain.problem import Mode
from judge.errors import Finding
from judge.packages.package import Package
from judge.packages.rules import (
    data,
    distributions,
    limits,
    lost_backslashes,
    manifests,
    numbers,
    placeholders,
    programs,
    statements,
    stdio,
    translations,
)

RULES: tuple[Callable[[Package], Iterator[Finding]], ...] = (
    translations.missing_texts,
    translations.missing_docs,
    translations.missing_group_texts,
    numbers.numbers_differ,
    numbers.explained_numbers_differ,
    numbers.numbers_of_other_texts_differ,
    translations.untranslated,
    statements.render_faults,
    statements.typed_titles,
    statements.flattened_formulas,
    lost_backslashes.lost_backslashes,
    statements.samples_shown,
    statements.samples_explained,
    data.groups_filled,
    data.groups_known,
    data.points_add_up,
    data.cases_differ,
    data.cases_canonical,
    distributions.answers_are_distributions,
    distributions.draws_fit,
    limits.limits_in_range,
    limits.slug_is_folder,
    manifests.proof_is_fresh,
    manifests.something_to_reveal,
    manifests.groups_without_circle,
    manifests.checker_has_program,
    manifests.plain_texts,
    placeholders.texts_written,
    placeholders.reasons_written,
    placeholders.programs_written,
    programs.tools_present,
    programs.accepted_present,
    programs.expectations_meet_files,
    programs.submissions_have_expectations,
)


def lint(package: Package, known: Collection[str] | None = None) -> tuple[Finding, ...]:
    """All findings of a package, by file and line.

    ``known`` are slugs of problems and names of concepts that prerequisites may name; without it
    prerequisites are not checked.
    """
    findings = [finding for rule in RULES for finding in rule(package)]
    if known is not None:
        findings += _unknown_prerequisites(package, known)
    if package.problem.mode is Mode.STDIO:
        findings = list(stdio.lightened(package, findings))
    return tuple(sorted(findings, key=_place))


def is_fit(findings: Iterable[Finding]) -> bool:
    """Whether nothing found keeps the package from being published."""
    return all(finding.severity != "error" for finding in findings)


def is_fit_once_translated(findings: Iterable[Finding]) -> bool:
    """Whether nothing but texts that a locale lacks keeps the package from being published."""
    return is_fit(finding for finding in findings if finding.code not in translations.MISSING)


def _unknown_prerequisites(package: Package, known: Collection[str]) -> Iterator[Finding]:
    for index, name in enumerate(package.judge_yaml.prerequisites):
        if name not in known:
            where = package.judge_yaml_text.where(("prerequisites", index))
            message = f"no problem and no concept is named {name!r}"
            yield Finding("unknown-prerequisite", where, message, "warning")


def _place(finding: Finding) -> tuple[str, int, str]:
    path, _, line = finding.where.partition(":")
    return path, int(line) if line.isdigit() else 0, finding.code
