"""A run as values: samples or own input tried out, for no score.

A run never sees a hidden case: what goes into it is the samples of its revision, or arguments that
its owner wrote.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from judge.domain.problem import CheckerSpec, Problem, TestCase, Visibility
from judge.domain.submission import CaseResult, Judgement
from judge.domain.values import Arguments, Value

# What a checker says of a value that nobody knows an answer to compare with.
ANY_VALUE = "any"


@dataclass(frozen=True)
class RunCase:
    """What came of one case.

    Attributes:
        result: None where nothing was run: the source did not compile, or the input was refused.
        refusal: what the problem's own validator says against the input; empty where it has none.
        reference: what the reference answers, if it was asked and gave an answer.
    """

    result: CaseResult | None
    refusal: str = ""
    reference: Value = None
    has_reference: bool = False


@dataclass(frozen=True)
class RunResult:
    """A run that came to its end; ``judgement`` is None where no input could be run."""

    judgement: Judgement | None
    cases: tuple[RunCase, ...]


def takes_own_input(checker: Mapping[str, object]) -> bool:
    """Whether a run may have own input: not where only many answers together can be judged."""
    return checker["kind"] != "distribution"


def on_samples(problem: Problem) -> Problem:
    """The problem with nothing but its samples, judged as a submission's are."""
    samples = tuple(case for case in problem.cases if case.visibility is Visibility.SAMPLE)
    return replace(problem, cases=samples, groups=())


def on_inputs(problem: Problem, inputs: Sequence[Arguments]) -> Problem:
    """The problem with these inputs, to which no answer is known."""
    cases = tuple(
        TestCase(
            id=f"own/{number}",
            group="own",
            ordinal=number,
            visibility=Visibility.SAMPLE,
            title={},
            hint={},
            arguments=arguments,
            expected=None,
        )
        for number, arguments in enumerate(inputs, start=1)
    )
    return replace(
        problem, cases=cases, groups=(), checker=CheckerSpec(ANY_VALUE), checker_program=None
    )
