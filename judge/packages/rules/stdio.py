"""What is asked of stdio problems: they come from elsewhere, in the locales that they have.

Their data are texts without a canonical form, programs of their own stand for reference, generator
and validator, and a solution is not asked for. What they have is translated before they are
published, as with any other problem; until then they can be graded where they lie.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from judge.errors import Finding
from judge.packages.package import Package

_WARNINGS = frozenset(
    {
        "sample-unexplained",
        "sample-explanation-boilerplate",
        "flattened-formula",
        "hidden-equals-sample",
        "leftover-backslash",
        "bad-formula",
        "lost-backslash",
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


def lightened(package: Package, findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings that count for a stdio problem, with the weight that they have there."""
    has_solution = any(text.strip() for text in package.solutions.values())
    warnings = _WARNINGS if has_solution else _WARNINGS | {"missing-solution"}
    for finding in findings:
        if finding.code in _NOT_ASKED:
            continue
        is_light = finding.code in warnings
        yield replace(finding, severity="warning") if is_light else finding
