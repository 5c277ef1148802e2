"""The grader: order, limits on sources, faults of the sandbox, and what enters a box."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from grading_packages import HONEST, read_problem, start_grader
from judge_data import JUDGE_DATA

from judge.domain.limits import MAX_SOURCE_BYTES
from judge.domain.problem import Problem, TestCase
from judge.domain.verdicts import Reason, Verdict
from judge.errors import JudgeBroken
from judge.grading import boxes as boxes_module
from judge.grading import machine as machine_module
from judge.grading.engines.prepared_boxes import PreparedBox
from judge.grading.pipeline import Grader
from submissions_sandbox import (
    Outcome,
    Sandbox,
    SandboxError,
    SandboxUnavailable,
)


@pytest.fixture
def own_grader() -> Iterator[Grader]:
    """A grader that the test may break."""
    grader = start_grader(("python",))
    yield grader
    grader.__exit__(None, None, None)


def padded(size: int) -> bytes:
    return HONEST + b"#" * (size - len(HONEST))


class TestJudgement:
    def test_every_planned_case_stands_in_order_with_what_was_measured(
        self, grader: Grader, pair_sum: Problem
    ) -> None:
        judgement = grader.grade(pair_sum, HONEST, "python")
        assert [case.id for case in judgement.cases] == [
            "sample/01",
            "sample/02",
            "secret/10-small/01",
            "secret/10-small/02",
            "secret/20-large/01",
            "secret/20-large/02",
        ]
        assert [case.returned for case in judgement.cases] == [c.expected for c in pair_sum.cases]
        assert all(case.memory_kb < 8 * 1024 and case.cpu_ms < 500 for case in judgement.cases)
        assert (judgement.score.earned, judgement.score.max) == (100, 100)

    def test_it_says_what_judged_it(self, grader: Grader, pair_sum: Problem) -> None:
        runner = grader.grade(pair_sum, HONEST, "python").runner
        assert {"tier", "layers", "python", "numpy"} <= set(runner)
        assert runner["tier"] == "A"

    def test_stages_are_told(self, grader: Grader, pair_sum: Problem) -> None:
        told: list[tuple[str, int, int]] = []
        grader.grade(pair_sum, HONEST, "python", lambda *stage: told.append(stage))
        assert {stage for stage, _, _ in told} == {"running"}
        done = [number for _, number, _ in told]
        assert done == sorted(done)
        assert all(planned == 6 for _, _, planned in told)

    def test_random_numbers_differ_from_case_to_case(
        self, grader: Grader, pair_sum: Problem
    ) -> None:
        source = b"""
import random

import numpy as np


def pair_sum(a, b):
    print(np.random.random(), random.random())
    return a + b
"""
        judgement = grader.grade(pair_sum, source, "python")
        pairs = [case.stdout.split() for case in judgement.cases]
        assert len({first for first, _ in pairs}) == len(pairs)
        assert len({second for _, second in pairs}) == len(pairs)

    def test_a_problem_without_cases_accepts_nobody(
        self, grader: Grader, pair_sum: Problem
    ) -> None:
        with pytest.raises(JudgeBroken):
            grader.grade(replace(pair_sum, cases=()), HONEST, "python")

    @pytest.mark.slow
    def test_a_time_factor_of_the_language_widens_the_limit(
        self, grader: Grader, pair_sum: Problem
    ) -> None:
        slow = b"import time\n" + HONEST.replace(
            b"    return", b"    while time.process_time() < 0.8: pass\n    return"
        )
        one_case = replace(pair_sum, cases=pair_sum.cases[:1])
        assert grader.grade(one_case, slow, "python").verdict is Verdict.TIME_LIMIT_EXCEEDED
        wide = replace(one_case, time_factors={"python": 3.0})
        assert grader.grade(wide, slow, "python").verdict is Verdict.ACCEPTED


class TestSourceSize:
    def test_the_largest_source_is_judged(self, grader: Grader, pair_sum: Problem) -> None:
        judgement = grader.grade(pair_sum, padded(MAX_SOURCE_BYTES), "python")
        assert judgement.verdict is Verdict.ACCEPTED

    @pytest.mark.parametrize("size", [MAX_SOURCE_BYTES + 1, 70 * 1024, 1 << 24])
    def test_a_larger_one_is_a_compile_error_that_says_so(
        self, grader: Grader, pair_sum: Problem, size: int
    ) -> None:
        judgement = grader.grade(pair_sum, padded(size), "python")
        assert (judgement.verdict, judgement.reason) == (Verdict.COMPILE_ERROR, Reason.SOURCE)
        assert judgement.compile.log == f"solution.py: {size} bytes; a source may have 64 KiB"
        assert (judgement.score.earned, judgement.score.max, judgement.cases) == (0, 100, ())


class TestFaults:
    def test_a_sandbox_that_breaks_twice_is_the_judges_fault_and_no_verdict(
        self, own_grader: Grader, pair_sum: Problem, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        tries: list[bytes] = []

        def broken(self: PreparedBox, request: bytes, *_: Any) -> Outcome:
            tries.append(request)
            raise SandboxError("box init is gone")

        with monkeypatch.context() as patch:
            patch.setattr(PreparedBox, "run", broken)
            with pytest.raises(JudgeBroken, match="broke twice: box init is gone"):
                own_grader.grade(pair_sum, HONEST, "python")
        assert len(tries) == 2
        assert own_grader.grade(pair_sum, HONEST, "python").verdict is Verdict.ACCEPTED

    def test_a_fault_in_one_lane_is_never_a_shorter_list_of_cases(
        self, own_grader: Grader, pair_sum: Problem, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run = PreparedBox.run
        seen: list[bytes] = []

        def breaks_at_the_fifth(self: PreparedBox, request: bytes, *others: Any) -> Outcome:
            seen.append(request)
            if len(seen) == 5:
                raise SandboxError("one lane broke")
            return run(self, request, *others)

        monkeypatch.setattr(PreparedBox, "run", breaks_at_the_fifth)
        judgement = own_grader.grade(pair_sum, HONEST, "python")
        assert (judgement.verdict, judgement.passed) == (Verdict.ACCEPTED, 6)

    def test_a_machine_that_cannot_isolate_judges_nobody(
        self, own_grader: Grader, pair_sum: Problem, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def unavailable(*_: object) -> Sandbox:
            raise SandboxUnavailable("user namespaces are switched off")

        monkeypatch.setattr(boxes_module, "Sandbox", unavailable)
        monkeypatch.setattr(machine_module, "Sandbox", unavailable)
        with pytest.raises(JudgeBroken, match="user namespaces are switched off"):
            Grader(("python",), data_dir=JUDGE_DATA).__enter__()
        own_grader.boxes.restart()
        with pytest.raises(JudgeBroken, match="no box can be opened"):
            own_grader.grade(pair_sum, HONEST, "python")


class TestWhatEntersABox:
    """A request holds the source and one case's arguments, and nothing else of a problem."""

    @pytest.fixture
    def requests(self, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
        requests: list[bytes] = []
        run = PreparedBox.run

        def record(self: PreparedBox, request: bytes, *others: Any) -> Outcome:
            requests.append(request)
            return run(self, request, *others)

        monkeypatch.setattr(PreparedBox, "run", record)
        return requests

    def test_no_request_holds_an_expected_value_or_another_cases_arguments(
        self, grader: Grader, requests: list[bytes]
    ) -> None:
        problem = with_canaries(read_problem("pair_sum"))
        grader.grade(problem, HONEST, "python")
        check, *calls = requests
        assert len(calls) == len(problem.cases)
        for request in requests:
            held = [case for case in problem.cases if holds(request, case.arguments["a"])]
            assert len(held) == (request is not check)
            assert not any(holds(request, case.expected) for case in problem.cases)

    def test_no_request_holds_a_name_of_the_problems_own(
        self, grader: Grader, pair_sum: Problem, requests: list[bytes]
    ) -> None:
        grader.grade(pair_sum, HONEST, "python")
        words = {case.id for case in pair_sum.cases} | {case.group for case in pair_sum.cases}
        words |= {pair_sum.revision, "exact", "expected", "checker"}
        for request in requests:
            assert [word for word in words if word.encode() in request] == []


def with_canaries(problem: Problem) -> Problem:
    """The same problem with numbers that occur nowhere else."""

    def marked(case: TestCase) -> TestCase:
        first, second = 0x5EC2E7_000000 + case.ordinal, 0xCA4A27_0000 * 1000 + case.ordinal
        return replace(
            case, arguments={"a": first, "b": second}, expected=0x0DD5_0000_0000_0000 + case.ordinal
        )

    return replace(problem, cases=tuple(marked(case) for case in problem.cases))


def forms_of(number: Any) -> set[bytes]:
    """How a number may stand in a request: binary and in digits."""
    return {int(number).to_bytes(8, "little"), str(number).encode(), hex(number)[2:].encode()}


def holds(request: bytes, number: Any) -> bool:
    return any(form in request for form in forms_of(number))
