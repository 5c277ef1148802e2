"""What is asked of stdio problems: they come from elsewhere, in the languages that they have.

A statement in one locale is enough for them, their data are texts without a canonical form, and
programs of their own stand for reference, generator and validator.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from judge.errors import Finding

_WARNINGS = frozenset(
    {
        "missing-title",
        "missing-statement",
        "missing-solution",
        "missing-hint",
        "missing-group-title",
        "missing-group-hint",
        "untranslated",
        "sample-unexplained",
        "sample-explanation-boilerplate",
        "numbers-differ",
        "sample-explanation-differs",
        "flattened-formula",
        "hidden-equals-sample",
        "leftover-backslash",
        "bad-formula",
        "empty-group",
    }
)
_NOT_ASKED = frozenset(
    {
        "missing-reference",
        "missing-margins",
        "missing-docs",
        "missing-validator",
        "missing-generator",
        "not-canonical",
        "slug-differs",
    }
)


def lightened(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings that count for a stdio problem, with the weight that they have there."""
    for finding in findings:
        if finding.code in _NOT_ASKED:
            continue
        is_light = finding.code in _WARNINGS
        yield replace(finding, severity="warning") if is_light else finding
