"""Programs of a Kattis package: submissions, output validator, input validators."""

from pathlib import PurePosixPath
from typing import Any

from judge.errors import Finding
from judge.harness.languages import language_of_file
from judge.packages.checker_program import FOLDER as VALIDATOR
from judge.packages.checker_program import language_of
from judge.packages.files import PackageFiles
from judge.packages.kattis.manifest import LEGACY, Facts
from judge.packages.kattis.notices import dropped, refuse
from judge.packages.kattis.yaml_out import dump
from judge.packages.problem_yaml import LANGUAGES
from judge.packages.submissions import EXPECTATIONS, covers
from judge.packages.yaml_text import parse_yaml

_FAILED = ["WA", "TLE", "RTE", "MLE", "OLE"]
_REQUIRED = {
    "accepted": ["AC"],
    "partially_accepted": _FAILED,
    "rejected": _FAILED,
    "wrong_answer": ["WA"],
    "time_limit_exceeded": ["TLE"],
    "run_time_error": ["RTE", "MLE", "OLE"],
}
_KNOWN_KEYS = ("permitted", "required", "score", "message", "use_for_time_limit")
_REFUSED_FOLDERS = {
    "include": "code of the judge's is compiled with every submission",
    "graders": "a grader program makes the score",
    "static_validator": "the source itself is validated",
}


def refuse_other_programs(files: PackageFiles) -> None:
    """End the import where a program has a part that the judge does not have.

    Raises:
        PackageInvalid: there is such a folder.
    """
    for folder, what in _REFUSED_FOLDERS.items():
        if files.below(folder):
            refuse(folder, f"{what}, which the judge does not offer for stdio problems")


def import_submissions(
    files: PackageFiles, facts: Facts, report: list[Finding]
) -> dict[str, bytes]:
    """Example submissions that are one file in a language of the problem, and what they must do."""
    offered = {LANGUAGES[code] for code in facts.languages}
    made: dict[str, bytes] = {}
    entries: dict[str, Any] = {}
    stated = _stated(files)
    for path in files.below("submissions"):
        place = path.removeprefix("submissions/")
        folder = place.partition("/")[0]
        if path == EXPECTATIONS:
            continue
        target = _single_file(files, place)
        if folder not in _REQUIRED:
            report.append(dropped(path, f"what {folder}/ must come to is not proved here"))
        elif target is None:
            report.append(dropped(path, "a submission of several files is not offered"))
        elif language_of_file(target) not in offered:
            report.append(dropped(path, "is not in a language of the problem"))
        elif _is_python_2(files[path]):
            report.append(dropped(path, "is Python 2"))
        else:
            made[f"submissions/{target}"] = files[path]
            entries[target] = _expectation(folder, stated, place)
    return made | {EXPECTATIONS: dump(entries)}


def import_validators(files: PackageFiles, facts: Facts, report: list[Finding]) -> dict[str, bytes]:
    """The output validator, where the problem has one, and the input validators as they are."""
    made = {path: files[path] for path in files.below("input_validators")}
    folder = "output_validators" if facts.version == LEGACY else VALIDATOR
    programs = _programs(files, folder)
    if facts.version != LEGACY:
        facts.is_custom = bool(programs)
    if not facts.is_custom:
        report.extend(dropped(path, "validation is default") for path in files.below(folder))
        return made
    if len(programs) != 1:
        refuse(folder, f"one output validator is offered; there are {len(programs)}")
    program = next(iter(programs.values()))
    if not language_of(sorted(program)):
        refuse(folder, "an output validator is Python or C++ here, without build or run scripts")
    return made | {f"{VALIDATOR}/{name}": content for name, content in program.items()}


def _programs(files: PackageFiles, folder: str) -> dict[str, dict[str, bytes]]:
    """Files by program: each folder is one; in 2025-09 all files of the folder itself are one."""
    programs: dict[str, dict[str, bytes]] = {}
    for path in files.below(folder):
        name = path.removeprefix(f"{folder}/")
        head, _, rest = name.partition("/")
        if rest:
            programs.setdefault(head, {})[rest] = files[path]
        else:
            program = head if folder == "output_validators" else ""
            programs.setdefault(program, {})[head] = files[path]
    return programs


def _single_file(files: PackageFiles, place: str) -> str | None:
    """Where a submission goes; None for one of several files."""
    parts = place.split("/")
    if len(parts) == 2:
        return place
    folder = "/".join(parts[:2])
    if len(parts) != 3 or len(files.below(f"submissions/{folder}")) != 1:
        return None
    return f"{folder}{PurePosixPath(place).suffix}"


def _is_python_2(source: bytes) -> bool:
    first = source.split(b"\n", 1)[0]
    return first.startswith(b"#!") and b"python2" in first


def _stated(files: PackageFiles) -> dict[str, Any]:
    if EXPECTATIONS not in files:
        return {}
    data = parse_yaml(EXPECTATIONS, files[EXPECTATIONS]).data
    return data if isinstance(data, dict) else {}


def _expectation(folder: str, stated: dict[str, Any], place: str) -> dict[str, Any]:
    """What the package says of a submission, or what its folder says."""
    entry: dict[str, Any] = {}
    for pattern, said in stated.items():
        if isinstance(said, dict) and covers(str(pattern), place):
            entry |= {key: said[key] for key in _KNOWN_KEYS if key in said}
    default = {"required": _REQUIRED[folder]}
    return default | entry
