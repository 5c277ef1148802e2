"""Distributions: many draws of one function, judged by two stages, calibrated and proved."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pytest
from grading_packages import PACKAGES, read_problem

from judge.domain.problem import Problem
from judge.domain.submission import CaseResult, Judgement
from judge.domain.values import Arguments
from judge.domain.verdicts import Reason, Verdict
from judge.errors import JudgeBroken
from judge.grading.draws import SECOND, Draws
from judge.grading.pipeline import Grader
from judge.grading.proof import ProofOptions, prove
from judge.grading.proof.calibration import calibrated
from judge.grading.proof.power import power_against, weak
from judge.grading.run_cases import CaseRunner
from judge.harness import wire
from judge.packages.files import read_folder
from judge.packages.package import Package, load
from judge.packages.submissions import ExampleSubmission
from submissions_sandbox import Outcome, OutcomeKind, RunLimits

SAMPLER, LOOP = "dist_sampler", "dist_speculative"
# A tenth of what a proof simulates: as safe, and only less exact.
RUNS = 100_000
HEADS = {
    "python": "def dist_sampler(probs, uniforms):\n",
    "cpp": "#include <vector>\n#include <stdexcept>\n"
    "long long dist_sampler(const std::vector<double>& probs, "
    "const std::vector<double>& uniforms) {\n",
    "java": "class Solution { static long dist_sampler(double[] probs, double[] uniforms) {\n",
}


def read_package(slug: str) -> Package:
    return load(read_folder(PACKAGES / slug), slug)


@pytest.fixture(scope="module")
def sampler() -> Problem:
    return calibrated(read_problem(SAMPLER), lambda _: None, RUNS)


@pytest.fixture(scope="module")
def loop() -> Problem:
    return calibrated(read_problem(LOOP), lambda _: None, RUNS)


def example(slug: str, path: str) -> ExampleSubmission:
    return next(one for one in read_package(slug).submissions if one.path == path)


def judged(grader: Grader, problem: Problem, path: str) -> Judgement:
    submission = example(problem.slug, path)
    if submission.language not in grader.languages():
        pytest.skip(f"missing program: {submission.language}")
    return grader.grade(problem, submission.source, submission.language)


def first_of(grader: Grader, problem: Problem, language: str, body: str) -> CaseResult:
    """The first case of a source whose function has this body."""
    if language not in grader.languages():
        pytest.skip(f"missing program: {language}")
    source = HEADS[language] + body
    judgement = grader.grade(problem, source.encode(), language)
    assert judgement.compile.ok, judgement.compile.log
    return judgement.cases[0]


class TestSubmissions:
    @pytest.mark.parametrize("path", ["accepted/reference.py", "accepted/walk.cpp"])
    def test_a_right_sampler_is_accepted(self, grader: Grader, sampler: Problem, path: str) -> None:
        judgement = judged(grader, sampler, path)
        assert (judgement.verdict, judgement.score.earned) == (Verdict.ACCEPTED, 100)

    def test_a_right_sampler_in_java_is_accepted(self, grader: Grader, sampler: Problem) -> None:
        assert judged(grader, sampler, "accepted/walk.java").verdict is Verdict.ACCEPTED

    @pytest.mark.parametrize(
        "name",
        ["argmax.py", "drops_the_last.py", "uniform.py", "next_cell.py", "next_cell.java"],
    )
    def test_a_biased_sampler_is_wrong_in_every_case(
        self, grader: Grader, sampler: Problem, name: str
    ) -> None:
        judgement = judged(grader, sampler, f"wrong_answer/{name}")
        assert {case.verdict for case in judgement.cases} == {Verdict.WRONG_ANSWER}
        assert judgement.reason is Reason.OFF_TOLERANCE
        assert "the tokens are not distributed as expected: G =" in judgement.cases[0].message

    def test_a_token_that_cannot_come_is_wrong_at_once(
        self, grader: Grader, sampler: Problem
    ) -> None:
        judgement = judged(grader, sampler, "wrong_answer/uniform.cpp")
        rare = judgement.cases[-1]
        assert (rare.verdict, rare.reason) == (Verdict.WRONG_ANSWER, Reason.WRONG_VALUE)
        assert rare.message.endswith("the token 0 has probability 0")

    def test_no_tokens_are_kept_as_a_returned_value(self, grader: Grader, sampler: Problem) -> None:
        judgement = judged(grader, sampler, "wrong_answer/argmax.py")
        assert not any(case.has_returned for case in judgement.cases)

    def test_a_loop_that_preserves_the_target_is_accepted(
        self, grader: Grader, loop: Problem
    ) -> None:
        assert judged(grader, loop, "accepted/reference.py").verdict is Verdict.ACCEPTED

    @pytest.mark.parametrize(
        "name",
        ["accepts_the_likelier", "draft_only", "residual_by_distance", "residual_is_target"],
    )
    def test_a_loop_that_does_not_is_wrong(self, grader: Grader, loop: Problem, name: str) -> None:
        judgement = judged(grader, loop, f"wrong_answer/{name}.py")
        assert {case.verdict for case in judgement.cases} == {Verdict.WRONG_ANSWER}


class TestDiagnostics:
    @pytest.mark.parametrize(
        ("language", "body", "error"),
        [
            ("python", "    raise ValueError(len(uniforms))\n", "ValueError: 1"),
            ("cpp", 'throw std::runtime_error("no");\n}', "std::runtime_error: no"),
            ("java", 'throw new IllegalStateException("no");\n}}', "IllegalStateException: no"),
        ],
    )
    def test_what_is_raised_is_told_with_its_draw(
        self, grader: Grader, sampler: Problem, language: str, body: str, error: str
    ) -> None:
        first = first_of(grader, sampler, language, body)
        assert (first.verdict, first.reason) == (Verdict.RUNTIME_ERROR, Reason.EXCEPTION)
        assert error in first.message
        assert first.message.endswith("in draw 1 of 5200")

    def test_the_draw_is_that_which_failed(self, grader: Grader, sampler: Problem) -> None:
        body = "    probs.append(0.0)\n    return 0 if len(probs) < 12 else None\n"
        first = first_of(grader, sampler, "python", body)
        assert (first.verdict, first.reason) == (Verdict.WRONG_ANSWER, Reason.WRONG_TYPE)
        assert first.message == (
            "return value: expected int, got None (is a return missing?)\nin draw 9 of 5200"
        )

    @pytest.mark.parametrize(
        ("language", "source"),
        [
            ("python", "def dist_sample(probs, uniforms):\n    return 0\n"),
            ("cpp", "int other() { return 0; }\n"),
            ("java", "class Solution { static long other() { return 0; } }\n"),
        ],
    )
    def test_a_missing_function_does_not_compile(
        self, grader: Grader, sampler: Problem, language: str, source: str
    ) -> None:
        if language not in grader.languages():
            pytest.skip(f"missing program: {language}")
        judgement = grader.grade(sampler, source.encode(), language)
        assert (judgement.verdict, judgement.reason) == (
            Verdict.COMPILE_ERROR,
            Reason.ENTRY_POINT,
        )

    @pytest.mark.parametrize(
        ("language", "source"),
        [
            ("cpp", HEADS["cpp"].replace("long long", "double") + "return 0.5;\n}"),
            ("java", HEADS["java"].replace("static long", "static double") + "return 0.5; }}"),
        ],
    )
    def test_a_wrong_return_type_does_not_compile(
        self, grader: Grader, sampler: Problem, language: str, source: str
    ) -> None:
        if language not in grader.languages():
            pytest.skip(f"missing program: {language}")
        judgement = grader.grade(sampler, source.encode(), language)
        assert (judgement.verdict, judgement.reason) == (Verdict.COMPILE_ERROR, Reason.SIGNATURE)

    def test_the_time_limit_is_for_all_draws(self, grader: Grader, sampler: Problem) -> None:
        limited = replace(sampler, limits=replace(sampler.limits, cpu_ms=200))
        body = "    return sum(0 for _ in range(20_000))\n"
        first = first_of(grader, limited, "python", body)
        assert first.verdict is Verdict.TIME_LIMIT_EXCEEDED


class TestRandomNumbers:
    def test_they_are_fresh_in_every_case_and_every_grading(
        self, grader: Grader, sampler: Problem
    ) -> None:
        body = "    if not hasattr(dist_sampler, 'said'):\n"
        body += "        dist_sampler.said = print(uniforms)\n    return 0\n"
        source = (HEADS["python"] + body).encode()
        printed = [
            case.stdout for _ in range(2) for case in grader.grade(sampler, source, "python").cases
        ]
        stated = {f"{case.arguments['uniforms']}\n" for case in sampler.cases}
        assert len(set(printed)) == 2 * len(sampler.cases)
        assert not stated & set(printed)

    def test_a_stage_has_its_own_and_keeps_them(self, sampler: Problem) -> None:
        draws, case = Draws(sampler), sampler.cases[0]

        def numbers(stage: int) -> npt.NDArray[np.float64]:
            return cast(npt.NDArray[np.float64], draws.arguments(case, stage)["uniforms"])

        assert numbers(1).shape == (5200, 1)
        assert len(np.unique(numbers(1))) == 5000
        assert np.array_equal(numbers(1), numbers(1))
        assert not np.isin(numbers(1), numbers(SECOND)).any()


Numbers = npt.NDArray[np.float64]
Tokens = npt.NDArray[np.int64]
Sampler = Callable[[Numbers], Tokens]


class Lane:
    """Answers each run of the one case by the next of these: a sampler and its CPU time in ms."""

    def __init__(self, *runs: tuple[Sampler, float]) -> None:
        self.runs = list(runs)
        self.arguments: list[Arguments] = []

    def __call__(self, arguments: Arguments, idle_kill_s: float) -> Outcome:
        self.arguments.append(arguments)
        sampler, cpu_ms = self.runs.pop(0)
        tokens = sampler(cast(Numbers, arguments["uniforms"])[:, 0])
        result = b"V" + len(tokens).to_bytes(4, "little") + tokens.astype("<i8").tobytes()
        printed = str(len(self.arguments)).encode()
        return Outcome(
            OutcomeKind.EXITED, exit_code=0, cpu_ms=cpu_ms, result=result, stdout=printed
        )


def shares(numbers: Numbers) -> Numbers:
    """The share of the draws with a smaller number, so that no test depends on chance."""
    distinct, place = np.unique(numbers, return_inverse=True)
    found: Numbers = place / len(distinct)
    return found


def right(numbers: Numbers) -> Tokens:
    """A half, a quarter, a quarter."""
    return np.searchsorted([0.5, 0.75], shares(numbers), side="right")


def biased(numbers: Numbers) -> Tokens:
    """The last token never comes."""
    return (shares(numbers) >= 0.7).astype(np.int64)


def impossible(numbers: Numbers) -> Tokens:
    """There is no token 3."""
    return 3 * (numbers >= 0.9).astype(np.int64)


def too_few(numbers: Numbers) -> Tokens:
    """Leaves the last draw out."""
    return right(numbers)[:-1]


def by_counting(numbers: Numbers) -> Tokens:
    """Deals the tokens out by their shares, whatever the numbers are."""
    return np.arange(len(numbers)) % 4 % 3


class TestStages:
    @pytest.fixture
    def run(self, sampler: Problem) -> Callable[[Lane], CaseResult]:
        one = replace(sampler, cases=sampler.cases[:1])

        def run(lane: Lane) -> CaseResult:
            draws = Draws(one)
            runner = CaseRunner(draws.problem, RunLimits(cpu_ms=500), draws=draws)
            return runner.run([lane], lambda _: None, lambda: nullcontext(lane))[0]

        return run

    def test_what_the_first_stage_accepts_is_accepted(self, run: Any) -> None:
        lane = Lane((right, 10))
        assert run(lane).verdict is Verdict.ACCEPTED
        assert len(lane.arguments) == 1

    def test_what_only_one_stage_rejects_is_accepted_with_the_larger_time(self, run: Any) -> None:
        lane = Lane((biased, 30), (right, 20))
        result = run(lane)
        assert (result.verdict, result.cpu_ms, result.stdout) == (Verdict.ACCEPTED, 30, "1")
        first, second = (cast(Any, one["uniforms"]) for one in lane.arguments)
        assert not np.array_equal(first, second)

    def test_what_both_reject_is_wrong_and_tells_the_worst_token(self, run: Any) -> None:
        result = run(Lane((biased, 10), (biased, 40)))
        assert (result.verdict, result.reason) == (Verdict.WRONG_ANSWER, Reason.OFF_TOLERANCE)
        assert "token 2 came 0 times, about 1250.0 expected" in result.message
        assert result.cpu_ms == 40

    def test_what_is_impossible_gets_no_second_stage(self, run: Any) -> None:
        lane = Lane((impossible, 10))
        assert run(lane).reason is Reason.WRONG_VALUE
        assert len(lane.arguments) == 1

    def test_who_deals_the_tokens_out_by_counting_is_wrong_at_once(self, run: Any) -> None:
        lane = Lane((by_counting, 10))
        result = run(lane)
        assert (result.verdict, result.reason) == (Verdict.WRONG_ANSWER, Reason.NOT_REPEATABLE)
        assert "got the same arguments and random numbers, but gave the tokens" in result.message
        assert len(lane.arguments) == 1

    def test_a_second_stage_that_is_too_late_counts(self, run: Any) -> None:
        late = [(right, 700.0)] * 3
        assert run(Lane((biased, 10), *late)).verdict is Verdict.TIME_LIMIT_EXCEEDED

    def test_a_late_run_is_measured_again_with_the_same_numbers(self, run: Any) -> None:
        lane = Lane((right, 600), (right, 400))
        result = run(lane)
        assert (result.verdict, result.cpu_ms) == (Verdict.ACCEPTED, 400)
        first, second = (cast(Any, one["uniforms"]) for one in lane.arguments)
        assert np.array_equal(first, second)

    def test_fewer_tokens_than_draws_are_wrong(self, run: Any) -> None:
        result = run(Lane((too_few, 10)))
        assert (result.verdict, result.reason) == (Verdict.WRONG_ANSWER, Reason.WRONG_SHAPE)


def test_without_a_calibration_nothing_is_judged(grader: Grader) -> None:
    source = example(SAMPLER, "accepted/reference.py").source
    with pytest.raises(JudgeBroken, match="has no critical value; run `judge problems verify`"):
        grader.grade(read_problem(SAMPLER), source, "python")


def test_the_wire_takes_a_row_a_draw(sampler: Problem) -> None:
    drawn = Draws(sampler).problem.signature
    assert [str(wire.argument_type(drawn, one)) for one in drawn.parameters] == [
        "list[float]",
        "ndarray[f64, 2]",
    ]
    assert str(wire.reply_type(drawn)) == "list[int]"
    assert str(drawn) == str(sampler.signature)


class TestProof:
    @pytest.mark.slow
    def test_a_package_proves_itself_with_calibration_and_power(self, grader: Grader) -> None:
        if len(grader.languages()) < 3:
            pytest.skip("missing program: a toolchain")
        package = read_package(SAMPLER)
        report = prove(package, grader, lambda _: None, ProofOptions(first_seed=1, fresh_inputs=2))
        assert report.findings == ()
        assert report.calibration.keys() == {case.id for case in package.problem.cases}
        assert [row.path for row in report.power] == [
            one.path for one in package.submissions if one.path.startswith("wrong_answer/")
        ]
        assert {row.power for row in report.power} == {1.0}
        by_tokens = [row for row in report.mutants.rows if row.verdict == Verdict.WRONG_ANSWER]
        assert {row.power for row in by_tokens} == {1.0}
        assert {row.power for row in report.mutants.rows if row not in by_tokens} == {None}

    def test_a_proof_of_the_same_content_finds_the_same_values(self, sampler: Problem) -> None:
        again = calibrated(read_problem(SAMPLER), lambda _: None, RUNS)
        assert again.calibration == sampler.calibration

    def test_a_bias_that_is_caught_by_luck_has_too_little_power(
        self, grader: Grader, sampler: Problem
    ) -> None:
        source = HEADS["python"] + "    return int(uniforms[0] > 0.53) + int(uniforms[0] > 0.77)\n"
        submission = ExampleSubmission("wrong_answer/subtle.py", "python", source.encode(), ())
        row = power_against(sampler, submission, sampler.cases[:1], grader)
        assert row is not None
        assert row.power < 0.9999
        (finding,) = weak([row])
        assert (finding.code, finding.where) == (
            "weak-power",
            "submissions/wrong_answer/subtle.py",
        )

    def test_who_fails_without_a_token_has_no_power_to_show(
        self, grader: Grader, sampler: Problem
    ) -> None:
        submission = example(SAMPLER, "run_time_error/past_the_end.py")
        assert power_against(sampler, submission, sampler.cases[:1], grader) is None
