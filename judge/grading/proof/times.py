"""Does the time limit leave the right room: above every right program, below every slow one?

The two multiples are Kattis' (problem.yaml, ``time_multipliers``): the limit is at least
``ac_to_time_limit`` times what the slowest accepted submission takes, and a submission that is said
to be too slow takes at least ``time_limit_to_tle`` times the limit. Times are those of this
machine, in each language against the limit of that language.

A limit far above all of them is told, too: each endless submission holds a worker for so long.
"""

from collections.abc import Iterator, Sequence

from judge.domain.verdicts import Reason, Verdict
from judge.errors import Finding
from judge.grading.proof.report import SubmissionRow
from judge.packages.package import PROBLEM_YAML, Package

# A limit up to so much is nobody's trouble; a longer one is at most so many times the slowest.
_SHORT_LIMIT_MS = 10_000
_WIDEST_MULTIPLE = 50


def time_limit_is_no_waste(package: Package, rows: Sequence[SubmissionRow]) -> Iterator[Finding]:
    """A limit that no accepted submission comes near to, in any language."""
    problem = package.problem
    limits_ms = {
        row: problem.limits.cpu_ms * problem.time_factors.get(row.language, 1.0)
        for row in rows
        if row.verdict == Verdict.ACCEPTED
    }
    if not limits_ms or min(limits_ms.values()) <= _SHORT_LIMIT_MS:
        return
    if all(_WIDEST_MULTIPLE * row.slowest_cpu_ms < limit for row, limit in limits_ms.items()):
        slowest_ms = max(row.slowest_cpu_ms for row in limits_ms)
        where = package.problem_yaml_text.where(("limits", "time_limit"))
        message = (
            f"is more than {_WIDEST_MULTIPLE} times what any accepted submission takes (at most "
            f"{slowest_ms} ms), and an endless one holds a worker for so long"
        )
        yield Finding("time-limit-too-wide", where or PROBLEM_YAML, message, "warning")


def time_limit_has_room(package: Package, rows: Sequence[SubmissionRow]) -> Iterator[Finding]:
    """What keeps too little distance from the time limit."""
    problem = package.problem
    multiples = package.problem_yaml.limits.time_multipliers
    for row in rows:
        limit_ms = problem.limits.cpu_ms * problem.time_factors.get(row.language, 1.0)
        place = f"submissions/{row.path}"
        if row.verdict == Verdict.ACCEPTED:
            needed_ms = multiples.ac_to_time_limit * row.slowest_cpu_ms
            if needed_ms > limit_ms:
                where = package.problem_yaml_text.where(("limits", "time_limit"))
                message = (
                    f"{place} takes {row.slowest_cpu_ms} ms, so the limit must be at least "
                    f"{needed_ms / 1000:.3g} s, not {limit_ms / 1000:.3g} s"
                )
                yield Finding("time-limit-too-tight", where or PROBLEM_YAML, message)
        elif row.verdict == Verdict.TIME_LIMIT_EXCEEDED and row.reason == Reason.CPU_TIME:
            least_ms = multiples.time_limit_to_tle * limit_ms
            if row.slowest_cpu_ms < least_ms:
                message = (
                    f"is too slow by too little: {row.slowest_cpu_ms} ms, "
                    f"at least {least_ms:.0f} ms needed"
                )
                yield Finding("too-slow-too-close", place, message)
