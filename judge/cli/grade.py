"""``judge grade``: judge one source file against a package, without database and server."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from judge.cli.exits import DONE, NOT_DONE, USAGE, error_exits, leave
from judge.cli.start import open_settings
from judge.domain.problem import Problem, Visibility
from judge.domain.submission import Judgement
from judge.domain.verdicts import Verdict
from judge.grading.pipeline import Grader
from judge.harness.languages import LANGUAGES, language_of_file
from judge.packages.builtin import load_named
from judge.packages.proof import calibrated

_SHOWN_LOCALE = "en"


def grade(
    problem: Annotated[str, typer.Argument(help="Slug of a built-in problem, or a folder or zip.")],
    source: Annotated[Path, typer.Argument(help="The source file.")],
    language: Annotated[str, typer.Option(help="By default what the suffix says.")] = "",
    samples: Annotated[bool, typer.Option("--samples", help="Only the samples.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Grade a source file; exit 0 accepted, 1 not accepted, 2 usage, 3 the judge's own fault."""
    with error_exits():
        chosen = _language(source, language)
        content = _read(source)
        graded = calibrated(load_named(problem))
        if samples:
            graded = _only_samples(graded)
        if chosen not in graded.languages:
            leave(USAGE, f"{graded.slug} does not take {chosen}")
        program = graded.checker_program
        needed = {chosen} | ({program.language} if program else set())
        with Grader(tuple(sorted(needed)), data_dir=open_settings().data_dir) as grader:
            judgement = grader.grade(graded, content, chosen)
    if as_json:
        print(json.dumps(_as_json(graded, chosen, judgement), ensure_ascii=False))
    else:
        _print(graded, judgement)
    leave(DONE if judgement.verdict is Verdict.ACCEPTED else NOT_DONE)


def _language(source: Path, named: str) -> str:
    chosen = named or language_of_file(source.name)
    offered = ", ".join(LANGUAGES)
    if chosen is None:
        leave(USAGE, f"{source.name}: name the language with --language ({offered})")
    if chosen not in LANGUAGES:
        leave(USAGE, f"language {chosen!r} is not offered; choose one of: {offered}")
    return chosen


def _read(source: Path) -> bytes:
    try:
        return source.read_bytes()
    except OSError as error:
        leave(USAGE, f"cannot read {source}: {error.strerror}")


def _only_samples(problem: Problem) -> Problem:
    """The problem as if it had no hidden case; the score is that of the samples."""
    cases = tuple(case for case in problem.cases if case.visibility is Visibility.SAMPLE)
    groups = tuple(g for g in problem.groups if any(case.group == g.name for case in cases))
    return replace(problem, cases=cases, groups=groups)


def _as_json(problem: Problem, language: str, judgement: Judgement) -> dict[str, Any]:
    by_id = {case.id: case for case in problem.cases}
    return {
        "problem": problem.slug,
        "revision": problem.revision,
        "language": language,
        "verdict": judgement.verdict,
        "reason": judgement.reason,
        "score": {"earned": judgement.score.earned, "max": judgement.score.max},
        "tests": {"passed": judgement.passed, "total": len(problem.cases)},
        "cases": [
            {
                "id": result.id,
                "title": by_id[result.id].title.get(_SHOWN_LOCALE, result.id),
                "visibility": by_id[result.id].visibility,
                "verdict": result.verdict,
                "reason": result.reason,
                "message": result.message,
                "cpu_ms": result.cpu_ms,
                "wall_ms": result.wall_ms,
                "memory_kb": result.memory_kb,
            }
            for result in judgement.cases
        ],
        "compile": {"ok": judgement.compile.ok, "log": judgement.compile.log},
    }


def _print(problem: Problem, judgement: Judgement) -> None:
    by_id = {case.id: case for case in problem.cases}
    if judgement.compile.log:
        print(judgement.compile.log)
    for result in judgement.cases:
        title = by_id[result.id].title.get(_SHOWN_LOCALE, result.id)
        figures = f"{result.cpu_ms} ms, {result.memory_kb} KiB"
        print(f"{result.verdict.value:<22} {result.id:<32} {title}  ({figures})")
        if result.message and result.verdict is not Verdict.ACCEPTED:
            print("    " + result.message.replace("\n", "\n    "))
    total, score = len(problem.cases), judgement.score
    verdict = judgement.verdict.value
    print(f"{verdict}: {judgement.passed} of {total} tests, {score.earned} of {score.max} points")
