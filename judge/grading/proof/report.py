"""What a proof found, as values: findings, and one line a submission.

Owns no rule: whoever runs a claim says what it came to.
"""

from dataclasses import dataclass, field

from judge.domain.verdicts import Verdict
from judge.errors import Finding
from judge.grading.proof.checker_trial import CheckerTrial
from judge.grading.proof.mutants import MutantsReport
from judge.grading.proof.power import PowerRow


@dataclass(frozen=True)
class SubmissionRow:
    """One line of the kill matrix: what a submission came to, and which groups failed it."""

    path: str
    language: str
    verdict: str
    reason: str
    earned: int
    max: int
    slowest_cpu_ms: int
    failed_groups: tuple[str, ...]
    as_expected: bool


@dataclass(frozen=True)
class ProofReport:
    """Everything that verification found; ``passed`` only without an error.

    Attributes:
        slug: the problem's.
        content_hash: digest of the package that was proved.
        cases: how many test cases it has.
        findings: what is wrong, and what is worth a look.
        rows: one an example submission.
        mutants: what came of the reference's mutants.
        fresh_inputs: on how many the accepted submissions and the reference were held together.
        first_seed: that of the fresh inputs.
        weak_groups: groups without anything wrong that only they catch.
        calibration: the critical value of every case of a distribution.
        power: one a wrong submission to a distribution.
        checker: what the package's own checker said of odd values; None where it has none.
    """

    slug: str
    content_hash: str
    cases: int
    findings: tuple[Finding, ...]
    rows: tuple[SubmissionRow, ...]
    mutants: MutantsReport
    fresh_inputs: int
    first_seed: int
    weak_groups: tuple[str, ...]
    calibration: dict[str, float] = field(default_factory=dict)
    power: tuple[PowerRow, ...] = ()
    checker: CheckerTrial | None = None

    @property
    def passed(self) -> bool:
        """Whether the package may be published."""
        return not any(finding.severity == "error" for finding in self.findings)

    def count(self, *, accepted: bool) -> int:
        """How many example submissions came, as they should, to accepted (or to a rejection)."""
        return sum(
            row.as_expected and (row.verdict == Verdict.ACCEPTED) == accepted for row in self.rows
        )


def unproved(slug: str, findings: tuple[Finding, ...], content_hash: str = "") -> ProofReport:
    """The report on a package of which nothing ran: it cannot be read, or has lint errors."""
    return ProofReport(
        slug=slug,
        content_hash=content_hash,
        cases=0,
        findings=findings,
        rows=(),
        mutants=MutantsReport(),
        fresh_inputs=0,
        first_seed=0,
        weak_groups=(),
    )
