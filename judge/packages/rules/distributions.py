"""Rules on packages that are judged by a distribution: answers, random numbers, sizes."""

from collections.abc import Iterator
from typing import cast

from judge.domain.checkers.distribution import pmf_flaw
from judge.errors import Finding
from judge.packages.package import Package

# 8 MB that go into the box of every case.
MOST_UNIFORMS = 1_000_000
# What a calibration simulates takes 0.1 us a run and cell: a minute or so a case.
MOST_TOKENS = 1000


def answers_are_distributions(package: Package) -> Iterator[Finding]:
    """Every answer is a probability mass function."""
    if package.problem.checker.kind != "distribution":
        return
    for case in package.problem.cases:
        pmf = cast(list[float], case.expected)
        where = f"data/{case.id}.ans"
        flaw = pmf_flaw(pmf)
        if flaw:
            yield Finding("bad-pmf", where, flaw)
        elif len(pmf) > MOST_TOKENS:
            message = f"{len(pmf)} tokens are too many to calibrate, {MOST_TOKENS} allowed"
            yield Finding("too-many-tokens", where, message)


def draws_fit(package: Package) -> Iterator[Finding]:
    """One case's random numbers have room in a box, and every case shows as many as a draw gets."""
    spec = package.problem.checker
    if spec.kind != "distribution":
        return
    if spec.draws * spec.per_draw > MOST_UNIFORMS:
        where = package.judge_yaml_text.where(("checker",))
        message = f"draws times per_draw is {spec.draws * spec.per_draw}, {MOST_UNIFORMS} allowed"
        yield Finding("too-many-draws", where, message)
    for case in package.problem.cases:
        stated = len(cast(list[float], case.arguments[spec.uniforms]))
        if stated != spec.per_draw:
            message = f"{spec.uniforms} has {stated} numbers, but a draw gets {spec.per_draw}"
            yield Finding("uniforms-differ", f"data/{case.id}.in", message)
