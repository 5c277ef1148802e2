"""``judge doctor``: can this machine judge, and which languages? Live probes, one line each."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from judge.cli.exits import DONE, NOT_DONE, error_exits, leave
from judge.cli.start import open_settings
from judge.domain.verdicts import Verdict
from judge.errors import JudgeError
from judge.grading.pipeline import Grader
from judge.harness.languages import LANGUAGES, PYTHON
from judge.packages.builtin import load_named
from submissions_sandbox.probes import Probe, run_probes

_HONEST = "sample_token"


@dataclass(frozen=True)
class _Toolchain:
    """What this machine has for one language, or the command that would install it."""

    id: str
    title: str
    versions: dict[str, str]
    fix: str

    def __str__(self) -> str:
        if self.fix:
            return f"--   {self.title}: missing; install it with: {self.fix}"
        shown = ", ".join(f"{name} {version}" for name, version in self.versions.items())
        return f"ok   {self.title}: {shown}"


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Probe the sandbox with live attacks and judge one honest program; exit 0 if all passed.

    A language whose compiler is missing does not make the machine unfit.
    """
    with error_exits():
        data_dir = open_settings().data_dir
    probes = run_probes()
    honest, toolchains = _judge_honest_program(data_dir)
    probes.append(honest)
    fit = all(probe.passed for probe in probes)
    if as_json:
        print(json.dumps(_as_json(fit, probes, toolchains)))
    else:
        for probe in probes:
            print(f"{'ok  ' if probe.passed else 'FAIL'} {probe.name}: {probe.detail or 'held'}")
        for toolchain in toolchains:
            print(toolchain)
    leave(DONE if fit else NOT_DONE)


def _as_json(fit: bool, probes: list[Probe], toolchains: list[_Toolchain]) -> dict[str, Any]:
    return {
        "fit": fit,
        "probes": [asdict(probe) for probe in probes],
        "languages": [{**asdict(one), "available": not one.fix} for one in toolchains],
    }


def _judge_honest_program(data_dir: Path) -> tuple[Probe, list[_Toolchain]]:
    name = "an honest submission is accepted"
    toolchains: list[_Toolchain] = []
    try:
        package = load_named(_HONEST)
        with Grader(data_dir=data_dir) as grader:
            toolchains = _toolchains(grader)
            judgement = grader.grade(package.problem, package.tools.reference.encode(), PYTHON)
    except JudgeError as error:
        return Probe(name, passed=False, detail=str(error)), toolchains
    passed = judgement.verdict is Verdict.ACCEPTED
    detail = f"{judgement.verdict}, {judgement.passed} of {len(package.problem.cases)} tests"
    return Probe(name, passed=passed, detail=detail), toolchains


def _toolchains(grader: Grader) -> list[_Toolchain]:
    versions, missing = grader.languages(), grader.missing()
    return [
        _Toolchain(one.id, one.title, versions.get(one.id, {}), missing.get(one.id, ""))
        for one in LANGUAGES.values()
    ]
