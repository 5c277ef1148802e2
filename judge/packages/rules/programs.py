"""Rules on the package's programs: tools, example submissions and their expectations."""

from collections.abc import Iterator

from judge.domain.problem import Mode
from judge.domain.verdicts import Verdict
from judge.errors import Finding
from judge.harness.languages import LANGUAGES
from judge.packages.package import Package
from judge.packages.submissions import EXPECTATIONS, ExampleSubmission, covers


def tools_present(package: Package) -> Iterator[Finding]:
    """The reference always; margins and validator where something refers to them."""
    tools = package.tools
    if not tools.reference:
        yield Finding("missing-reference", "reference.py", "the package needs a reference")
    if package.judge_yaml.margin is not None and not tools.margins:
        yield Finding("missing-margins", "margins.py", "judge.yaml states a margin")
    if not tools.validator:
        path = "input_validators/validate.py"
        yield Finding("missing-validator", path, "nothing checks the inputs", "warning")
    if not tools.generator:
        path = "generators/cases.py"
        yield Finding("missing-generator", path, "cases cannot be made anew", "warning")


def accepted_present(package: Package) -> Iterator[Finding]:
    """Every language that is offered has a submission that is said to be right.

    Of a stdio problem some language is enough: it was made without knowing of this judge.
    """
    accepted = {each.language for each in package.submissions if each.is_accepted}
    place = "submissions/accepted"
    if package.problem.mode is Mode.STDIO:
        if not accepted:
            yield Finding("missing-accepted", place, "has no submission")
        return
    for language in package.problem.languages:
        if language not in accepted:
            title = LANGUAGES[language].title
            message = f"has no {title} program, but problem.yaml offers {title}"
            yield Finding("missing-accepted", place, message)


def expectations_meet_files(package: Package) -> Iterator[Finding]:
    """Every pattern of submissions.yaml names a file, and every group in it exists."""
    paths = [submission.path for submission in package.submissions]
    for pattern, where in package.expectation_patterns.items():
        if not any(covers(pattern, path) for path in paths):
            message = f"{pattern!r} names no file below submissions/"
            yield Finding("expectation-without-file", where, message)
    targets = [group.name for group in package.problem.groups]
    targets += [case.id for case in package.problem.cases]
    groups = {
        (expectation.where, expectation.group)
        for submission in package.submissions
        for expectation in submission.expectations
        if expectation.group
    }
    for where, group in sorted(groups):
        if group != "secret" and not any(covers(group, target) for target in targets):
            message = f"{group!r} names no test group of the package"
            yield Finding("expectation-unknown-group", where, message)


def submissions_have_expectations(package: Package) -> Iterator[Finding]:
    """Every submission has an expectation, and one that fits its folder."""
    for submission in package.submissions:
        where = submission.place
        if not submission.expectations:
            message = f"{EXPECTATIONS} has no entry for this file"
            yield Finding("submission-without-expectation", where, message)
        elif message := _contradiction(submission):
            place = submission.expectations[0].where
            yield Finding("contradicting-expectation", place, message)
        if submission.language not in package.problem.languages:
            message = f"problem.yaml does not offer {submission.language}"
            yield Finding("submission-language", where, message)


def _contradiction(submission: ExampleSubmission) -> str:
    only_accepted = frozenset({Verdict.ACCEPTED})
    required = [each.required for each in submission.expectations if not each.group]
    if submission.is_accepted and only_accepted not in required:
        return f"{submission.path} stands in accepted/, so it must require exactly AC"
    if not submission.is_accepted and any(Verdict.ACCEPTED in each for each in required):
        return f"{submission.path} stands outside accepted/, so it must not require AC"
    return ""
