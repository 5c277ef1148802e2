"""Rules on test data: groups, points, duplicates, canonical files."""

from collections.abc import Iterator

from judge.domain.problem import TestCase
from judge.errors import Finding
from judge.packages.package import Package
from judge.packages.rules.translations import hidden_folders
from judge.packages.writer import case_files, difference


def groups_filled(package: Package) -> Iterator[Finding]:
    """Samples exist, and every hidden group has a case.

    Where there is no case at all but a generator, that is only a warning: no such package can be
    proved, so none can be published.
    """
    if awaits_cases(package):
        message = "there is no test case yet; `judge problems generate` makes them"
        yield Finding("no-cases", "data", message, "warning")
        return
    used = {case.group for case in package.problem.cases}
    for group in package.problem.groups:
        if group.name not in used:
            yield Finding("empty-group", f"data/{group.name}", "has no test case")
    if not hidden_folders(package):
        yield Finding("no-hidden-cases", "data/secret", "has no group of hidden cases")


def awaits_cases(package: Package) -> bool:
    """Whether a package has groups and a generator, but no case was generated yet."""
    has_generator = bool(package.tools.generator.strip())
    return not package.problem.cases and has_generator and bool(hidden_folders(package))


def groups_known(package: Package) -> Iterator[Finding]:
    """Every group that judge.yaml names has a folder."""
    for folder in package.judge_yaml.groups.keys() - set(hidden_folders(package)):
        where = package.judge_yaml_text.where(("groups", folder))
        yield Finding("unknown-group", where, f"there is no folder data/secret/{folder}")


def points_add_up(package: Package) -> Iterator[Finding]:
    """The groups' max_score sum to the problem's points."""
    total = sum(group.max_score for group in package.problem.groups)
    if total != package.problem.points:
        where = package.judge_yaml_text.where(("points",))
        message = f"points is {package.problem.points}, but the groups' max_score sum to {total}"
        yield Finding("points-sum", where, message)


def cases_differ(package: Package) -> Iterator[Finding]:
    """No hidden case repeats a sample; hidden cases that repeat each other are a warning."""
    seen: dict[tuple[bytes, ...], str] = {}
    samples = {case.id for case in package.problem.cases if case.group == "sample"}
    for case in package.problem.cases:
        other = seen.setdefault(_input_key(package, case), case.id)
        if other == case.id:
            continue
        if other in samples and case.id not in samples:
            message = f"has the same input as {other}, which everybody can see"
            yield Finding("hidden-equals-sample", f"data/{case.id}.in", message)
        else:
            message = f"has the same input as {other}"
            yield Finding("duplicate-case", f"data/{case.id}.in", message, "warning")


def cases_canonical(package: Package) -> Iterator[Finding]:
    """Every case file has exactly the bytes that the writer would give it."""
    for case in package.problem.cases:
        generated = (case.id, case.arguments, case.expected)
        for path, content in case_files(package.case_signature, generated).items():
            committed = package.files.get(path, b"")
            if committed != content:
                where = difference(path, committed, content)
                yield Finding("not-canonical", where, "is not the canonical text of its value")


def _input_key(package: Package, case: TestCase) -> tuple[bytes, ...]:
    """Canonical bytes of a case's input, arrays included."""
    files = case_files(package.case_signature, (case.id, case.arguments, case.expected))
    return tuple(content for path, content in sorted(files.items()) if not path.endswith(".ans"))
