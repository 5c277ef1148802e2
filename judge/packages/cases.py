"""The data/ folder: groups and cases in grading order.

Owns which files make a case, the order of cases and their titles. Samples come first as group
``sample``, then the hidden groups ``secret/<folder>`` by name, cases by name within a group.
Nothing here decides what a learner may see; it only records a case's visibility.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from judge.domain.problem import (
    LOCALES,
    STDIO_SIGNATURE,
    Localized,
    TestCase,
    TestGroup,
    Visibility,
)
from judge.domain.signatures import Signature
from judge.domain.values import Arguments, Value
from judge.errors import Finding
from judge.packages.case_json import CaseUnreadable, read_answer, read_arguments, read_text
from judge.packages.data_yaml import TestCaseYaml, TestGroupYaml
from judge.packages.files import PackageFiles
from judge.packages.judge_yaml import GroupYaml, JudgeYaml
from judge.packages.manifest import plain, read_model

# Parsed, JSON takes up to thirty times as much; every case is judged in a box of its own.
MAX_CASES = 1000
MAX_GROUPS = 100
MAX_TEXT_DATA_BYTES = 16 * 1024 * 1024
MAX_ARRAY_DATA_BYTES = 32 * 1024 * 1024
SAMPLE = "sample"
HIDDEN_PREFIX = "secret/"
_SAMPLE_WORD = {"vi": "Mẫu", "ja": "サンプル", "en": "Sample"}
_CASE_FILE = re.compile(
    r"data/(?P<group>sample|secret/[^/]+)/(?P<name>[^/]+?)"
    r"(?:\.(?P<suffix>in|ans|yaml)|\.files/[^/]+\.npy)"
)
_OTHER_DATA = re.compile(
    r"data/(?:MANIFEST|test_group\.yaml|(?:invalid_input|invalid_output|valid_output)/.+|sample/README\.md)"
)


@dataclass(frozen=True)
class TestData:
    """Groups and cases of one package in grading order."""

    __test__ = False

    groups: tuple[TestGroup, ...]
    cases: tuple[TestCase, ...]


@dataclass(frozen=True)
class _Group:
    """One group's folder while its cases are read."""

    name: str
    yaml: TestGroupYaml
    title: Localized
    hint: Localized
    default_visibility: Visibility


def read_test_data(
    files: PackageFiles, signature: Signature, judge_yaml: JudgeYaml, report: list[Finding]
) -> TestData:
    """Read all groups and cases; what cannot be read is left out and stands in ``report``."""
    stems = _find_stems(files, report)
    excess = list(_excess(files, stems))
    if excess:
        report += excess
        return TestData((), ())
    groups = [_read_group(files, name, judge_yaml, report) for name in _group_names(files)]
    cases: list[TestCase] = []
    for group in groups:
        for number, name in enumerate(stems.get(group.name, ()), start=1):
            case = _read_case(files, signature, group, (name, number, len(cases) + 1), report)
            cases += [] if case is None else [case]
    known = {group.name for group in groups}
    for group in groups:
        report.extend(_unknown_required(group, known))
    return TestData(
        tuple(
            TestGroup(group.name, group.title, group.yaml.max_score, group.yaml.required_groups())
            for group in groups
        ),
        tuple(cases),
    )


def _excess(files: PackageFiles, stems: dict[str, list[str]]) -> Iterator[Finding]:
    """What is more than a judge can read, judge and store; told before any of it is parsed."""
    cases = sum(map(len, stems.values()))
    if cases > MAX_CASES:
        yield Finding("too-many-cases", "data", f"{cases} test cases; {MAX_CASES} may be")
    groups = len(list(_group_names(files)))
    if groups > MAX_GROUPS:
        yield Finding("too-many-cases", "data", f"{groups} test groups; {MAX_GROUPS} may be")
    sizes = {True: 0, False: 0}
    for path in files.below("data"):
        sizes[path.endswith(".npy")] += len(files[path])
    for is_array, most, what in (
        (False, MAX_TEXT_DATA_BYTES, "texts below data/"),
        (True, MAX_ARRAY_DATA_BYTES, "arrays (.npy) below data/"),
    ):
        if sizes[is_array] > most:
            message = f"{what} have {sizes[is_array]} bytes together; {most} may be"
            yield Finding("too-much-data", "data", message)


def without_cases(files: PackageFiles) -> PackageFiles:
    """A package's files without those of its cases; its groups stay."""

    def is_of_a_case(path: str) -> bool:
        match = _CASE_FILE.fullmatch(path)
        return match is not None and path != group_yaml_path(match["group"])

    return PackageFiles(
        {path: content for path, content in files.items() if not is_of_a_case(path)}
    )


def group_yaml_path(group: str) -> str:
    """Where a group's scoring stands."""
    return f"data/{group}/test_group.yaml"


def _find_stems(files: PackageFiles, report: list[Finding]) -> dict[str, list[str]]:
    """Case names by group, sorted; files that belong to no case become findings."""
    stems: dict[str, list[str]] = {}
    for path in files.below("data"):
        match = _CASE_FILE.fullmatch(path)
        if match is None:
            if not _OTHER_DATA.fullmatch(path):
                message = "belongs to no case; cases are data/sample/* and data/secret/<group>/*"
                report.append(Finding("stray-file", path, message))
            continue
        stem = f"data/{match['group']}/{match['name']}"
        if match["suffix"] == "in":
            stems.setdefault(match["group"], []).append(match["name"])
            if f"{stem}.ans" not in files:
                report.append(Finding("missing-file", f"{stem}.ans", "the case has no answer"))
        elif path != group_yaml_path(match["group"]) and f"{stem}.in" not in files:
            report.append(Finding("stray-file", path, f"there is no {stem}.in"))
    return {group: sorted(names) for group, names in stems.items()}


def _group_names(files: PackageFiles) -> Iterator[str]:
    """The sample group, then every folder below data/secret by name."""
    yield SAMPLE
    parts = (path.split("/") for path in files.below("data/secret"))
    yield from sorted({HIDDEN_PREFIX + part[2] for part in parts if len(part) > 3})


def _read_group(
    files: PackageFiles, name: str, judge_yaml: JudgeYaml, report: list[Finding]
) -> _Group:
    path = group_yaml_path(name)
    if name == SAMPLE:
        yaml = read_model(files, path, TestGroupYaml, report) if path in files else None
        title = dict(_SAMPLE_WORD)
        return _Group(name, yaml or TestGroupYaml(), title, {}, Visibility.SAMPLE)
    yaml = read_model(files, path, TestGroupYaml, report)
    folder = name.removeprefix(HIDDEN_PREFIX)
    stated = judge_yaml.groups.get(folder, GroupYaml(title={}))
    # A title that is missing is lint's finding; grading needs a word all the same.
    title = dict.fromkeys(LOCALES, folder) | plain(stated.title)
    may_reveal = Visibility.REVEAL_ON_FAIL if judge_yaml.reveal.cases else Visibility.HIDDEN
    return _Group(name, yaml or TestGroupYaml(), title, plain(stated.hint), may_reveal)


def _read_case(
    files: PackageFiles,
    signature: Signature,
    group: _Group,
    place: tuple[str, int, int],
    report: list[Finding],
) -> TestCase | None:
    name, number, ordinal = place
    stem = f"data/{group.name}/{name}"
    path = f"{stem}.in"
    try:
        is_program = signature == STDIO_SIGNATURE
        arguments: Arguments = (
            {"input": read_text(files, path)}
            if is_program
            else read_arguments(files, signature, stem)
        )
        path = f"{stem}.ans"
        if path not in files:
            return None
        if is_program:
            expected: Value = read_text(files, path)
        else:
            expected = read_answer(files, signature.returns, stem)
    except CaseUnreadable as error:
        report.append(Finding("bad-case", f"{path}:{error.line}", error.message))
        return None
    config = TestCaseYaml()
    if f"{stem}.yaml" in files:
        config = read_model(files, f"{stem}.yaml", TestCaseYaml, report) or config
    return TestCase(
        id=f"{group.name}/{name}",
        group=group.name,
        ordinal=ordinal,
        visibility=_visibility(group, config),
        title=_title(group, number),
        hint=dict.fromkeys(LOCALES, config.hint) if config.hint else group.hint,
        arguments=arguments,
        expected=expected,
    )


def _visibility(group: _Group, config: TestCaseYaml) -> Visibility:
    if group.name == SAMPLE:
        return Visibility.SAMPLE
    for stated in (config.full_feedback, group.yaml.full_feedback):
        if stated is not None:
            return Visibility.REVEAL_ON_FAIL if stated else Visibility.HIDDEN
    return group.default_visibility


def _title(group: _Group, number: int) -> Localized:
    joint = " " if group.name == SAMPLE else " · "
    return {locale: f"{title}{joint}{number}" for locale, title in group.title.items()}


def _unknown_required(group: _Group, known: set[str]) -> Iterator[Finding]:
    for name in group.yaml.required_groups():
        if name not in known or name == group.name:
            message = f"require_pass names {name!r}, which is no other group"
            yield Finding("unknown-group", group_yaml_path(group.name), message)
