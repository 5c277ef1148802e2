"""Whole outcomes against judge.grading.compare: a case result, and never an undue acceptance."""

import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
from fuzz_driver import Round, Target
from fuzz_source import Source, claim, within_cpu
from fuzz_values import mutated, type_of, value_of

from judge.domain.limits import Limits
from judge.domain.problem import CheckerSpec, Problem, TestCase, Visibility
from judge.domain.signatures import Signature, ValueType
from judge.domain.submission import CaseResult
from judge.domain.verdicts import Reason, Verdict
from judge.grading.compare import judge_case
from judge.harness import wire
from submissions_sandbox import Outcome, OutcomeKind

_CPU_LIMIT_MS = 1000
_CPU_S = 2.0
_DETAILS = {
    OutcomeKind.TIME: ("cpu", "wall"),
    OutcomeKind.OUTPUT: ("stdout", "stderr", "result"),
    OutcomeKind.MEMORY: ("group", "resident"),
}
_KINDS = tuple(kind for kind in OutcomeKind if kind is not OutcomeKind.FAILED)
_RESULTS_PER_ROUND = 30
_JSON = b'{"reason": "wrong_shape", "message": "\\ud800", "error_class": "E", "line": 3}'


def _judge(source: Source, tried: Counter[str]) -> None:
    kind = type_of(source)
    problem, case = _problem(source, kind)
    answer = b"V" + wire.encode(kind, case.expected)
    for _ in range(_RESULTS_PER_ROUND):
        outcome = _outcome(source, _frame(source, kind, answer))
        with warnings.catch_warnings(), within_cpu(_CPU_S):
            warnings.simplefilter("error")
            result = judge_case(problem, case, outcome, _CPU_LIMIT_MS)
        _check(result, outcome, kind, case.expected)
        tried[str(result.verdict)] += 1


def _problem(source: Source, kind: ValueType) -> tuple[Problem, TestCase]:
    case = TestCase(
        "secret/1/1", "secret/1", 1, Visibility.HIDDEN, {}, {}, {}, value_of(source, kind)
    )
    checker = CheckerSpec(
        source.pick(("exact", "close")),
        source.pick((0.0, 1e-9, 1e300)),
        source.pick((0.0, 1e-6)),
        nan_equal=source.often(0.5),
    )
    signature = Signature("f", (), kind)
    limits = Limits(_CPU_LIMIT_MS, 1024)
    return Problem("p", "r", signature, limits, checker, 1, ("python",), (), (case,)), case


def _frame(source: Source, kind: ValueType, answer: bytes) -> bytes:
    choice = source.randrange(8)
    if choice < 2:
        return answer
    if choice < 4:
        return b"V" + wire.encode(kind, value_of(source, kind))
    if choice < 6:
        return mutated(source, answer)
    if choice == 6:
        return source.pick((b"M", b"R", b"O", b"X", b"C", b"K", b"Z")) + mutated(source, _JSON)
    return source.randbytes(source.size(300))


def _outcome(source: Source, frame: bytes) -> Outcome:
    kind = OutcomeKind.EXITED if source.often(0.8) else source.pick(_KINDS)
    return Outcome(
        kind,
        source.pick(_DETAILS.get(kind, ("",))),
        exit_code=source.pick((0, 0, 0, 1, 255)) if kind is OutcomeKind.EXITED else -1,
        signal=source.randrange(65),
        cpu_ms=source.pick((0.0, 999.5, 1000.0, 1000.5)),
        wall_ms=source.pick((0.0, 1e9)),
        memory_kb=source.randrange(1 << 40),
        result=b"" if source.often(0.05) else frame,
        stdout=source.randbytes(source.size(40)),
        stderr=source.randbytes(source.size(40)),
        stdout_dropped=source.pick((0, 0, 7)),
    )


def _check(result: CaseResult, outcome: Outcome, kind: ValueType, expected: Any) -> None:
    for text in (result.message, result.error_class, result.stdout, result.stderr):
        text.encode()
    is_right = result.verdict is Verdict.ACCEPTED
    claim(is_right == (result.reason is Reason.NONE), "a reason without need", result)
    claim(result.verdict in tuple(Verdict)[:6], "no verdict of a case", result)
    if not is_right:
        return
    in_time = outcome.kind is OutcomeKind.EXITED and outcome.cpu_ms <= _CPU_LIMIT_MS
    claim(in_time and outcome.result[:1] == b"V", "accepted without an answer", outcome)
    returned = wire.decode(kind, outcome.result[1:])
    claim(_alike(expected, returned), "accepted another answer", expected, returned)


def _alike(left: Any, right: Any) -> bool:
    """Equal but for numbers that a tolerance may reach: shapes, texts, integers, flags."""
    if isinstance(left, np.ndarray):
        is_exact = left.dtype.kind in "ib"
        return left.shape == right.shape and (not is_exact or bool((left == right).all()))
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(map(_alike, left, right))
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(_alike(left[key], right[key]) for key in left)
    return isinstance(left, float) or bool(left == right)


@contextmanager
def _offline() -> Iterator[Round]:
    yield _judge


def targets() -> dict[str, Target]:
    """The step from an outcome to a case result."""
    return {"judge-case": partial(_offline)}
