"""Do the accepted submissions of all languages agree with the reference where nobody looked before?

Inputs come from the package's ``fresh(seed)``, which makes one case's arguments from a seed; those
that the validator refuses or that lie too near to a decision edge are passed over. The seeds differ
from proof to proof, so a finding names the one that shows the difference.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from judge.domain.problem import Problem, TestCase, TestGroup, Visibility
from judge.domain.submission import Judgement
from judge.domain.values import Arguments, Value
from judge.domain.verdicts import Verdict
from judge.errors import Finding
from judge.grading.tools import ToolFailure, Tools
from judge.harness import wire
from judge.packages.package import Package
from judge.packages.submissions import ExampleSubmission

# An input that counts must come of every so many seeds, or fresh() aims badly.
SEEDS_AN_INPUT = 20
_AGAIN = 3
GROUP = "fresh"
_WHERE = "generators/cases.py"


def fresh_problem(
    package: Package, tools: Tools, first_seed: int, inputs: int
) -> Problem | Finding:
    """The package's problem with fresh cases in place of its own, answered by the reference."""
    cases: list[TestCase] = []
    seeds = range(first_seed, first_seed + SEEDS_AN_INPUT * inputs)
    for seed in seeds:
        arguments = tools.fresh(package.tools.generator, seed)
        if isinstance(arguments, ToolFailure):
            return Finding("fresh-failed", _WHERE, f"fresh({seed}): {arguments.message}")
        if seed == first_seed and not _is_repeatable(package, tools, seed, arguments):
            message = f"fresh({seed}) gives other arguments each time; use nothing but the seed"
            return Finding("fresh-failed", _WHERE, message)
        if not _counts(package, tools, arguments):
            continue
        answer = tools.refer(package.tools.reference, arguments)
        if isinstance(answer, ToolFailure):
            message = f"reference.py on fresh({seed}): {answer.message}"
            return Finding("reference-failed", _WHERE, message)
        cases.append(_case(seed, len(cases) + 1, arguments, answer))
        if len(cases) == inputs:
            return _with_cases(package.problem, cases)
    message = (
        f"of {len(seeds)} seeds only {len(cases)} gave an input that is valid and has a margin"
    )
    return Finding("fresh-too-rare", _WHERE, message)


def disagreements(submission: ExampleSubmission, judgement: Judgement) -> Iterator[Finding]:
    """Where an accepted submission and the reference differ on fresh inputs; the first place."""
    for case in judgement.cases:
        if case.verdict is not Verdict.ACCEPTED:
            seed = case.id.rpartition("/")[2]
            message = f"fresh({seed}): {case.verdict}: {case.message or case.reason}"
            yield Finding("references-disagree", submission.place, message)
            return


def _is_repeatable(package: Package, tools: Tools, seed: int, arguments: Arguments) -> bool:
    """Whether a seed gives the same arguments again, to the bit."""
    signature = package.problem.signature
    wanted = wire.encode_arguments(signature, arguments)
    for _ in range(_AGAIN):
        again = tools.fresh(package.tools.generator, seed)
        if isinstance(again, ToolFailure) or wire.encode_arguments(signature, again) != wanted:
            return False
    return True


def _counts(package: Package, tools: Tools, arguments: Arguments) -> bool:
    """Whether an input is one that a test case might have."""
    if package.tools.validator and tools.validate(package.tools.validator, arguments) is not None:
        return False
    if package.judge_yaml.margin is None:
        return True
    distance = tools.distance(package.tools.margins, arguments)
    return not isinstance(distance, ToolFailure) and distance >= package.judge_yaml.margin.min


def _case(seed: int, ordinal: int, arguments: Arguments, answer: tuple[Value]) -> TestCase:
    return TestCase(
        id=f"{GROUP}/{seed}",
        group=GROUP,
        ordinal=ordinal,
        visibility=Visibility.HIDDEN,
        title={},
        hint={},
        arguments=arguments,
        expected=answer[0],
    )


def _with_cases(problem: Problem, cases: Sequence[TestCase]) -> Problem:
    return replace(problem, cases=tuple(cases), groups=(TestGroup(GROUP, {}, 1),))
