"""A whole problem package, read and typed.

Owns the joining of all parts into one frozen Package. ``load`` collects every finding that it can
instead of stopping at the first. It judges nothing: whether a package that can be read is also
good is judge.packages.lint's, whether it is true is grading's proof.
"""

from dataclasses import dataclass, replace

from judge.domain.checkers.fit import case_signature, reference_signature
from judge.domain.limits import Limits
from judge.domain.problem import STDIO_SIGNATURE, Localized, Mode, Problem
from judge.domain.signatures import Signature, SignatureError, make_signature
from judge.domain.values import Arguments
from judge.errors import Finding, PackageInvalid
from judge.harness.languages import PYTHON
from judge.packages import digest
from judge.packages.case_json import CaseUnreadable, read_arguments
from judge.packages.cases import TestData, read_test_data
from judge.packages.checker_program import read_checker_program
from judge.packages.files import PackageFiles
from judge.packages.judge_yaml import JudgeYaml
from judge.packages.manifest import check_model, read_yaml
from judge.packages.problem_yaml import ProblemYaml
from judge.packages.submissions import (
    Examples,
    ExampleSubmission,
    read_submissions,
    with_reference,
)
from judge.packages.texts import read_texts
from judge.packages.yaml_text import YamlText

JUDGE_YAML = "judge.yaml"
PROBLEM_YAML = "problem.yaml"
INVALID_INPUT = "data/invalid_input"
_TOOL_PATHS = {
    "reference": "reference.py",
    "margins": "margins.py",
    "generator": "generators/cases.py",
    "validator": "input_validators/validate.py",
}


@dataclass(frozen=True)
class Tools:
    """Sources of the package's own programs; empty where there is none. They run in boxes only."""

    reference: str = ""
    margins: str = ""
    generator: str = ""
    validator: str = ""


@dataclass(frozen=True)
class InvalidInput:
    """One input that must be refused.

    ``arguments`` is None, and ``refusal`` says why, where the signature's types already refuse it.
    """

    name: str
    arguments: Arguments | None
    refusal: str = ""


@dataclass(frozen=True)
class Package:
    """One problem package. ``problem`` is what grading needs, the rest is for people and proof."""

    files: PackageFiles
    source_name: str
    content_hash: str
    tests_hash: str
    problem_yaml: ProblemYaml
    problem_yaml_text: YamlText
    judge_yaml: JudgeYaml
    judge_yaml_text: YamlText
    problem: Problem
    names: Localized
    statements: Localized
    hints: tuple[Localized, ...]
    solutions: Localized
    submissions: tuple[ExampleSubmission, ...]
    expectation_patterns: dict[str, str]
    tools: Tools
    invalid_inputs: tuple[InvalidInput, ...]

    @property
    def slug(self) -> str:
        """The problem's name in addresses: that of the learner's function."""
        return self.problem.slug

    @property
    def case_signature(self) -> Signature:
        """What the files of a case hold: arguments, and the answer as the returned value."""
        return case_signature(self.problem.checker, self.problem.signature)

    @property
    def reference_signature(self) -> Signature:
        """The function of reference.py that answers a case."""
        return reference_signature(self.problem.checker, self.problem.signature)


@dataclass(frozen=True)
class _Judge:
    """judge.yaml, its lines, and the signature that it states."""

    yaml: JudgeYaml
    text: YamlText
    signature: Signature


def load(files: PackageFiles, source_name: str) -> Package:
    """Read a package; ``source_name`` is the folder's or archive's name, for messages.

    Raises:
        PackageInvalid: with everything that keeps the package from being read.
    """
    report: list[Finding] = []
    problem_text = read_yaml(files, PROBLEM_YAML, report)
    problem_yaml = problem_text and check_model(problem_text, ProblemYaml, report)
    judge = _read_judge(files, report)
    data = _read_data(files, judge, report) if judge else None
    texts = read_texts(files, report)
    examples = read_submissions(files, report)
    tools = _read_tools(files, report)
    checker_program = read_checker_program(files, judge.yaml, report) if judge else None
    if report or not (problem_text and problem_yaml and judge and data):
        raise PackageInvalid(tuple(report))
    content_hash = digest.content_hash(files)
    problem = replace(
        _problem(problem_yaml, judge, data, digest.revision(content_hash)),
        checker_program=checker_program,
    )
    return Package(
        files=files,
        source_name=source_name,
        content_hash=content_hash,
        tests_hash=digest.tests_hash(problem, files),
        problem_yaml=problem_yaml,
        problem_yaml_text=problem_text,
        judge_yaml=judge.yaml,
        judge_yaml_text=judge.text,
        problem=problem,
        names=problem_yaml.names(),
        statements=texts.statements,
        hints=texts.hints,
        solutions=texts.solutions,
        submissions=_submissions(examples, problem, tools),
        expectation_patterns=examples.patterns,
        tools=tools,
        invalid_inputs=_read_invalid_inputs(files, judge.signature),
    )


def _read_data(files: PackageFiles, judge: _Judge, report: list[Finding]) -> TestData:
    signature = case_signature(judge.yaml.checker.spec(), judge.signature)
    return read_test_data(files, signature, judge.yaml, report)


def _submissions(
    examples: Examples, problem: Problem, tools: Tools
) -> tuple[ExampleSubmission, ...]:
    if PYTHON not in problem.languages:
        return examples.submissions
    return with_reference(examples.submissions, tools.reference)


def _problem(problem_yaml: ProblemYaml, judge: _Judge, data: TestData, revision: str) -> Problem:
    kattis, ours = problem_yaml.limits, judge.yaml.limits
    return Problem(
        slug=judge.yaml.signature.name,
        revision=revision,
        signature=judge.signature,
        limits=Limits(
            cpu_ms=round(kattis.time_limit * 1000),
            memory_kb=kattis.memory * 1024,
            stdout_kb=ours.stdout_kib,
            result_kb=ours.result_mib * 1024,
        ),
        checker=judge.yaml.checker.spec(),
        points=judge.yaml.points,
        languages=problem_yaml.judge_languages(),
        groups=data.groups,
        cases=data.cases,
        time_factors={
            str(language): limits.time_factor for language, limits in ours.per_language.items()
        },
        mode=Mode(judge.yaml.mode),
    )


def _read_judge(files: PackageFiles, report: list[Finding]) -> _Judge | None:
    text = read_yaml(files, JUDGE_YAML, report)
    yaml = text and check_model(text, JudgeYaml, report)
    if not (text and yaml):
        return None
    signature = _read_signature(yaml, text, report)
    return None if signature is None else _Judge(yaml, text, signature)


def _read_signature(
    judge_yaml: JudgeYaml, document: YamlText, report: list[Finding]
) -> Signature | None:
    stated = judge_yaml.signature
    known = {*stated.params, "return"}
    for locale, docs in stated.docs.items():
        for name in docs.keys() - known:
            where = document.where(("signature", "docs", locale, name))
            report.append(Finding("unknown-parameter", where, f"there is no parameter {name!r}"))
    if judge_yaml.mode == Mode.STDIO.value:
        return STDIO_SIGNATURE
    try:
        return make_signature(
            stated.name,
            stated.params,
            stated.returns,
            stated.display_order,
            stated.result_names,
        )
    except SignatureError as error:
        report.append(Finding("bad-signature", document.where(("signature",)), str(error)))
        return None


def _read_tools(files: PackageFiles, report: list[Finding]) -> Tools:
    sources: dict[str, str] = {}
    for tool, path in _TOOL_PATHS.items():
        try:
            sources[tool] = files.get(path, b"").decode()
        except UnicodeDecodeError:
            report.append(Finding("not-utf8", path, "is not UTF-8"))
    return Tools(**sources)


def _read_invalid_inputs(files: PackageFiles, signature: Signature) -> tuple[InvalidInput, ...]:
    if signature == STDIO_SIGNATURE:
        return ()  # an imported package has validators of its own for these
    inputs: list[InvalidInput] = []
    for path in files.below(INVALID_INPUT):
        stem, dot, suffix = path.rpartition(".")
        if not dot or suffix != "in":
            continue
        name = stem.removeprefix(f"{INVALID_INPUT}/")
        try:
            inputs.append(InvalidInput(name, read_arguments(files, signature, stem)))
        except CaseUnreadable as error:
            inputs.append(InvalidInput(name, None, error.message))
    return tuple(inputs)
