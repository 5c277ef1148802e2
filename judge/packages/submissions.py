"""Example submissions of a package and what each must come to.

Owns the matching of submissions.yaml's patterns with files (Kattis' rules: ``*`` stays inside one
name, ``{a,b}`` means either, a folder's pattern covers its files). It runs nothing.
"""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from judge.domain.verdicts import KATTIS_CODES, Verdict
from judge.errors import Finding
from judge.packages.files import PackageFiles
from judge.packages.manifest import check_model, read_yaml
from judge.packages.submissions_yaml import ExpectationYaml, SubmissionsYaml, SubmissionYaml
from judge.packages.yaml_text import YamlText

FOLDER = "submissions"
EXPECTATIONS = f"{FOLDER}/submissions.yaml"
REFERENCE = "reference.py"
SUFFIXES = {".py": "python", ".cpp": "cpp", ".cc": "cpp", ".java": "java"}


@dataclass(frozen=True)
class Expectation:
    """What a submission must come to, on the whole or (``group`` not empty) in one group.

    ``permitted`` are verdicts that may occur; one of ``required`` must. ``group`` may be a pattern.
    ``where`` is the file and line that says so.
    """

    group: str
    permitted: frozenset[Verdict]
    required: frozenset[Verdict]
    score: tuple[float, float] | None
    message: str
    where: str


@dataclass(frozen=True)
class ExampleSubmission:
    """One file below submissions/; ``path`` is relative to that folder.

    ``file`` is where the source stands, if that is another file of the package.
    """

    path: str
    language: str
    source: bytes
    expectations: tuple[Expectation, ...]
    file: str = ""

    @property
    def place(self) -> str:
        """The file that a finding about the submission names."""
        return self.file or f"{FOLDER}/{self.path}"

    @property
    def is_accepted(self) -> bool:
        """Whether the folder says that the submission is right."""
        return self.path.startswith("accepted/")


@dataclass(frozen=True)
class Examples:
    """All example submissions, and the patterns of submissions.yaml with their places."""

    submissions: tuple[ExampleSubmission, ...]
    patterns: dict[str, str]


def read_submissions(files: PackageFiles, report: list[Finding]) -> Examples:
    """Read all example submissions with the expectations that match them."""
    document = read_yaml(files, EXPECTATIONS, report)
    model = None if document is None else check_model(document, SubmissionsYaml, report)
    entries = model.root if model else {}
    rules = [
        (_expression(pattern), _expectations(document, pattern, entry))
        for pattern, entry in entries.items()
        if document
    ]
    found: list[ExampleSubmission] = []
    for full_path in files.below(FOLDER):
        path = full_path.removeprefix(f"{FOLDER}/")
        if full_path == EXPECTATIONS:
            continue
        language = SUFFIXES.get(PurePosixPath(path).suffix)
        if language is None or path.count("/") != 1:
            message = f"expected submissions/<folder>/<name> with {', '.join(SUFFIXES)}"
            report.append(Finding("stray-file", full_path, message))
            continue
        expectations = [each for names, group in rules if names.fullmatch(path) for each in group]
        found.append(ExampleSubmission(path, language, files[full_path], tuple(expectations)))
    patterns = {key: document.where((key,)) for key in entries} if document else {}
    return Examples(tuple(found), patterns)


def with_reference(
    submissions: tuple[ExampleSubmission, ...], reference: str
) -> tuple[ExampleSubmission, ...]:
    """All submissions; the reference stands in where accepted/ has no Python program.

    So the reference is held to the limits like a learner's program, and a package whose only right
    program is its reference can be proved.
    """
    has_python = any(each.is_accepted and each.language == "python" for each in submissions)
    if has_python or not reference.strip():
        return submissions
    accepted = frozenset({Verdict.ACCEPTED})
    expectation = Expectation("", frozenset(Verdict), accepted, None, "", REFERENCE)
    stand_in = ExampleSubmission(
        f"accepted/{REFERENCE}", "python", reference.encode(), (expectation,), REFERENCE
    )
    return (stand_in, *submissions)


def covers(pattern: str, path: str) -> bool:
    """Whether a pattern names a path or one of the folders above it."""
    return _expression(pattern).fullmatch(path) is not None


def _expression(pattern: str) -> re.Pattern[str]:
    parts: list[str] = []
    for piece in re.split(r"(\*|\{[^{}]*\})", pattern):
        if piece == "*":
            parts.append("[^/]*")
        elif piece.startswith("{"):
            choices = piece[1:-1].split(",")
            parts.append("(?:" + "|".join(re.escape(choice) for choice in choices) + ")")
        else:
            parts.append(re.escape(piece))
    return re.compile("".join(parts) + "(?:/.*)?")


def _expectations(
    document: YamlText, pattern: str, entry: SubmissionYaml
) -> tuple[Expectation, ...]:
    whole = _expectation("", entry, document.where((pattern,)))
    of_groups = (
        _expectation(group, narrowed, document.where((pattern, group)))
        for group, narrowed in entry.groups.items()
    )
    return (whole, *of_groups)


def _expectation(group: str, yaml: ExpectationYaml, where: str) -> Expectation:
    score = (yaml.score, yaml.score) if isinstance(yaml.score, int | float) else yaml.score
    return Expectation(
        group=group,
        permitted=frozenset(KATTIS_CODES[code] for code in yaml.permitted),
        required=frozenset(KATTIS_CODES[code] for code in yaml.required),
        score=score,
        message=yaml.message or "",
        where=where,
    )
