"""``judge doctor``: can this machine judge? Live probes, one line each."""

import json
from dataclasses import asdict
from typing import Annotated

import typer

from judge.cli.exits import DONE, NOT_DONE, leave
from judge.domain.verdicts import Verdict
from judge.errors import JudgeError
from judge.grading.pipeline import Grader
from judge.packages.builtin import load_named
from submissions_sandbox.probes import Probe, run_probes

_HONEST = "sample_token"


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Probe the sandbox with live attacks and judge one honest program; exit 0 if all passed."""
    probes = [*run_probes(), _judge_honest_program()]
    fit = all(probe.passed for probe in probes)
    if as_json:
        print(json.dumps({"fit": fit, "probes": [asdict(probe) for probe in probes]}))
    else:
        for probe in probes:
            print(f"{'ok  ' if probe.passed else 'FAIL'} {probe.name}: {probe.detail or 'held'}")
    leave(DONE if fit else NOT_DONE)


def _judge_honest_program() -> Probe:
    name = "an honest submission is accepted"
    try:
        package = load_named(_HONEST)
        with Grader() as grader:
            judgement = grader.grade(package.problem, package.tools.reference.encode(), "python")
    except JudgeError as error:
        return Probe(name, passed=False, detail=str(error))
    passed = judgement.verdict is Verdict.ACCEPTED
    detail = f"{judgement.verdict}, {judgement.passed} of {len(package.problem.cases)} tests"
    return Probe(name, passed=passed, detail=detail)
