"""A problem as a Kattis package, legacy or 2025-09.

A function problem gets token text for its cases and a generated driver for each language, in
include/; a stdio problem goes over as it is. What a format has no place for (hints, editorials,
prerequisites, the reveal policy) is left out. In the legacy format a problem is pass-fail: scores
of groups there need verdicts that no example submission of ours could be held to. A distribution
problem cannot be exported: a validator there sees one run of a program and no draws.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from judge.domain.problem import CheckerSpec, Mode, Problem
from judge.domain.signatures import DictOf, ListOf, NdArray, Optional, Scalar, TupleOf, ValueType
from judge.errors import Finding
from judge.packages.checker_program import CHECK, ROOT_GROUP
from judge.packages.checker_program import FOLDER as VALIDATOR
from judge.packages.files import PackageFiles
from judge.packages.kattis import drivers, token_text
from judge.packages.kattis.manifest import CURRENT, LEGACY
from judge.packages.kattis.notices import dropped, refuse
from judge.packages.kattis.tex import to_tex
from judge.packages.kattis.yaml_out import dump
from judge.packages.package import Package
from judge.packages.problem_yaml import Source
from judge.packages.submissions import ExampleSubmission

_SOURCE = "Decode Judge"
_JAVA_PACKAGE = re.compile(rb"^package\s+[\w.]+\s*;", re.MULTILINE)
_CHECKED = b"// The driver checks indices where this file is.\n"
_FOLDERS = ("accepted", "wrong_answer", "time_limit_exceeded", "run_time_error")
# How a file is called that a driver looks for by its name; a class is found by its file's.
_FILE_NAMES = {"cpp": "solution.cpp", "java": "Solution.java"}


@dataclass(frozen=True)
class Exported:
    """A Kattis package: its short name there, its files, and what was left out."""

    short_name: str
    files: PackageFiles
    notices: tuple[Finding, ...]


def export_package(package: Package, form: str = LEGACY) -> Exported:
    """Write a problem in Kattis' format; ``form`` is legacy or 2025-09.

    Raises:
        PackageInvalid: the problem has no form there; the finding says why.
    """
    problem = package.problem
    if problem.checker.kind == "distribution":
        message = (
            "the answer is judged by many draws of one case, and a Kattis package has one run of a "
            "program and its output: there is no export of a distribution problem"
        )
        refuse("judge.yaml", message)
    if any(map(_holds_array, (p.type for p in problem.signature.parameters))) or _holds_array(
        problem.signature.returns
    ):
        refuse("judge.yaml", "an array inside of another type has no form as tokens")
    report: list[Finding] = []
    validator = _output_validator(package)
    files = {**_statements(package, form), **_data(package, form)}
    files |= _input_validators(package) | _drivers(problem)
    folder = VALIDATOR if form == CURRENT else "output_validators/validator"
    files |= {f"{folder}/{name}": content for name, content in validator.items()}
    files |= _submissions(package, report)
    files["problem.yaml"] = dump(_problem_yaml(package, form, has_validator=bool(validator)))
    if form == LEGACY:
        files[".timelimit"] = f"{math.ceil(problem.limits.cpu_ms / 1000)}\n".encode()
    elif "submissions/submissions.yaml" in package.files:
        files["submissions/submissions.yaml"] = _expectations(package, files)
    return Exported(short_name(problem.slug), PackageFiles(files), tuple(report))


def _holds_array(value_type: ValueType) -> bool:
    """Whether an array stands inside of the type, where lists are not told from arrays."""
    return not isinstance(value_type, NdArray) and "ndarray" in str(value_type)


def short_name(slug: str) -> str:
    """The name of a package there: small letters and digits only."""
    return slug.replace("_", "")


def _problem_yaml(package: Package, form: str, *, has_validator: bool) -> dict[str, Any]:
    if form == LEGACY:
        return _legacy_yaml(package, has_validator=has_validator)
    kept = package.problem_yaml.model_dump(mode="json", exclude_defaults=True)
    kept.setdefault("source", _SOURCE)
    return kept


def _legacy_yaml(package: Package, *, has_validator: bool) -> dict[str, Any]:
    stated = package.problem_yaml
    made: dict[str, Any] = {
        "problem_format_version": "legacy",
        "type": "pass-fail",
        "name": package.names.get("en", package.slug),
        "uuid": stated.uuid,
        "source": _source_name(package),
        "license": stated.license,
        "limits": {"memory": stated.limits.memory},
        "validation": "custom" if has_validator else "default",
    }
    flags = _flags(package.problem)
    if flags:
        made["validator_flags"] = " ".join(flags)
    if stated.rights_owner:
        made["rights_owner"] = stated.rights_owner
    if stated.keywords:
        made["keywords"] = " ".join(keyword.replace(" ", "-") for keyword in stated.keywords)
    return made


def _source_name(package: Package) -> str:
    source = package.problem_yaml.source
    first = source[0] if isinstance(source, tuple) and source else source
    if isinstance(first, Source):
        return first.name
    return first if isinstance(first, str) else _SOURCE


def _statements(package: Package, form: str) -> dict[str, bytes]:
    """Every statement with a note on what to submit, where that is a function."""
    made: dict[str, bytes] = {}
    for locale, statement in package.statements.items():
        text = statement
        if package.problem.mode is Mode.FUNCTION:
            text = f"{drivers.note(package.problem.signature, locale)}\n{statement}"
        if form == CURRENT:
            made[f"statement/problem.{locale}.md"] = text.encode()
            continue
        name = package.names.get(locale, package.slug)
        tex = to_tex(text, name, locale, package.problem_yaml.constants)
        made[f"problem_statement/problem.{locale}.tex"] = tex.encode()
    return made


def _data(package: Package, form: str) -> dict[str, bytes]:
    problem = package.problem
    made: dict[str, bytes] = {}
    for case in problem.cases:
        stem = f"data/{case.id}"
        if problem.mode is Mode.STDIO:
            made |= {f"{stem}.{each}": package.files[f"{stem}.{each}"] for each in ("in", "ans")}
        else:
            made[f"{stem}.in"] = token_text.input_text(problem.signature, case.arguments)
            made[f"{stem}.ans"] = token_text.answer_text(problem.signature, case.expected)
    flags = list(_flags(problem))
    if form == CURRENT:
        for group in problem.groups:
            path = f"data/{group.name}/test_group.yaml"
            made |= {path: package.files[path]} if path in package.files else {}
        if flags:
            made[ROOT_GROUP] = dump({"output_validator_args": flags})
    return made


def _flags(problem: Problem) -> tuple[str, ...]:
    """What the default validator, or a custom one of the package's, is called with."""
    checker = problem.checker
    if problem.checker_program is not None:
        return problem.checker_program.arguments
    if checker.kind != "tokens":
        return ()
    flags: list[str] = []
    if checker.case_sensitive:
        flags.append("case_sensitive")
    if checker.space_sensitive:
        flags.append("space_change_sensitive")
    for word, tolerance in (
        ("absolute", checker.abs_tolerance),
        ("relative", checker.rel_tolerance),
    ):
        if tolerance:
            flags += [f"float_{word}_tolerance", f"{tolerance:g}"]
    return tuple(flags)


def _output_validator(package: Package) -> dict[str, bytes]:
    """The files of an output validator where comparing tokens is not enough."""
    problem = package.problem
    own = dict(problem.checker_program.files) if problem.checker_program else {}
    if problem.mode is Mode.STDIO:
        return own
    if not own and _tokens_suffice(problem.checker, problem.signature.returns):
        return {}
    made = {
        "main.py": drivers.output_validator(problem.signature, problem.checker),
        "token_text.py": drivers.token_text(),
    }
    if own:
        made |= {name: content for name, content in own.items() if name not in made}
        if CHECK not in own:
            refuse(VALIDATOR, f"has no {CHECK}")
    return made


def _tokens_suffice(checker: CheckerSpec, returns: ValueType) -> bool:
    """Whether equal values have equal tokens: whole numbers, flags and small letters do."""
    leaves = set(_leaves(returns))
    return checker.kind == "exact" and leaves <= {"int", "bool"}


def _leaves(value_type: ValueType) -> Iterator[str]:
    match value_type:
        case Scalar(name):
            yield name
        case ListOf(inner) | Optional(inner):
            yield from _leaves(inner)
        case TupleOf(parts):
            for part in parts:
                yield from _leaves(part)
        case DictOf(_, _):
            yield "dict"  # no order of its own
        case NdArray(dtype, _):
            yield {"i64": "int", "bool": "bool"}.get(dtype, "float")


def _input_validators(package: Package) -> dict[str, bytes]:
    if package.problem.mode is Mode.STDIO:
        return {path: package.files[path] for path in package.files.below("input_validators")}
    folder = "input_validators/tokens"
    made = {
        f"{folder}/main.py": drivers.input_validator(package.problem.signature),
        f"{folder}/token_text.py": drivers.token_text(),
    }
    if package.tools.validator:
        made[f"{folder}/problem_validator.py"] = package.tools.validator.encode()
    return made


def _drivers(problem: Problem) -> dict[str, bytes]:
    if problem.mode is Mode.STDIO:
        return {}
    signature = problem.signature
    made = {
        "python": {
            "include/python3/main.py": drivers.python_driver(signature),
            "include/python3/token_text.py": drivers.token_text(),
        },
        "cpp": {"include/cpp/main.cpp": drivers.cpp_driver(signature)},
        "java": {"include/java/Main.java": drivers.java_driver(signature)},
    }
    return {k: v for language in problem.languages for k, v in made[language].items()}


def _submissions(package: Package, report: list[Finding]) -> dict[str, bytes]:
    """Example submissions under the names that the drivers look for."""
    made: dict[str, bytes] = {}
    for submission in package.submissions:
        path = f"submissions/{submission.path}"
        if path not in package.files:
            continue  # the reference, which is no file of that folder
        folder, _, name = submission.path.partition("/")
        if folder not in _FOLDERS:
            report.append(dropped(path, f"{folder}/ has no meaning that both formats share"))
            continue
        fixed = _FILE_NAMES.get(submission.language)
        if package.problem.mode is Mode.FUNCTION and fixed:
            path = f"submissions/{folder}/{_folder_name(name)}/{fixed}"
        made[path] = _source(package.problem, submission)
        if path.endswith("/solution.cpp") and folder == "run_time_error":
            made[path.replace("solution.cpp", "checked.hpp")] = _CHECKED
    return made


def _source(problem: Problem, submission: ExampleSubmission) -> bytes:
    """The submission; its class leaves its Java package, where the driver could not name it."""
    if problem.mode is Mode.FUNCTION and submission.language == "java":
        return _JAVA_PACKAGE.sub(b"", submission.source, count=1)
    return submission.source


def _folder_name(name: str) -> str:
    pure = PurePosixPath(name)
    return f"{pure.stem}_{pure.suffix.removeprefix('.')}"


def _expectations(package: Package, files: Mapping[str, bytes]) -> bytes:
    """What each exported submission must come to, under its new name."""
    entries: dict[str, Any] = {}
    for submission in package.submissions:
        folder, _, name = submission.path.partition("/")
        wholes = [each for each in submission.expectations if not each.group]
        for place in (submission.path, f"{folder}/{_folder_name(name)}"):
            has_files = any(
                path == f"submissions/{place}" or path.startswith(f"submissions/{place}/")
                for path in files
            )
            if has_files and wholes:
                entries[place] = {"required": sorted(_code(v) for v in wholes[0].required)}
    return dump(entries)


def _code(verdict: str) -> str:
    """A verdict as Kattis names it; what it has no name for is a run time error there."""
    codes = {"accepted": "AC", "wrong_answer": "WA", "time_limit_exceeded": "TLE"}
    return codes.get(str(verdict), "RTE")
