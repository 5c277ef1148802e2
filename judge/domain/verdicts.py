"""Verdicts: what the judge says about one test case and about a whole submission.

The sandbox reports outcomes (facts); judge.grading turns an outcome and a checker's answer into
one of these; ``fold`` turns the cases' verdicts into the submission's.
"""

from collections.abc import Sequence
from enum import StrEnum


class Verdict(StrEnum):
    """The eight verdicts. SKIPPED stands only at test cases, never at a submission."""

    ACCEPTED = "accepted"
    WRONG_ANSWER = "wrong_answer"
    TIME_LIMIT_EXCEEDED = "time_limit_exceeded"
    MEMORY_LIMIT_EXCEEDED = "memory_limit_exceeded"
    OUTPUT_LIMIT_EXCEEDED = "output_limit_exceeded"
    RUNTIME_ERROR = "runtime_error"
    COMPILE_ERROR = "compile_error"
    INTERNAL_ERROR = "internal_error"
    SKIPPED = "skipped"


# What a whole submission may have.
FINAL_VERDICTS = tuple(verdict for verdict in Verdict if verdict is not Verdict.SKIPPED)


class Reason(StrEnum):
    """Why a verdict was given; empty for accepted."""

    NONE = ""
    WRONG_VALUE = "wrong_value"
    WRONG_TYPE = "wrong_type"
    WRONG_SHAPE = "wrong_shape"
    OFF_TOLERANCE = "off_tolerance"
    NOT_REPEATABLE = "not_repeatable"
    NAN = "nan"
    NO_RESULT = "no_result"
    BAD_RESULT = "bad_result"
    EXCEPTION = "exception"
    SIGNAL = "signal"
    EXIT_CODE = "exit_code"
    DENIED = "denied"
    THREADS = "threads"
    CPU_TIME = "cpu_time"
    IDLE = "idle"
    MEMORY = "memory"
    OUTPUT = "output"
    RESULT_SIZE = "result_size"
    SYNTAX = "syntax"
    ENTRY_POINT = "entry_point"
    SIGNATURE = "signature"
    SOURCE = "source"
    COMPILE_LIMIT = "compile_limit"
    AFTER_TIME_LIMIT = "after_time_limit"
    JUDGE_FAULT = "judge_fault"


# The short codes that package files (Kattis) use.
KATTIS_CODES = {
    "AC": Verdict.ACCEPTED,
    "WA": Verdict.WRONG_ANSWER,
    "TLE": Verdict.TIME_LIMIT_EXCEEDED,
    "MLE": Verdict.MEMORY_LIMIT_EXCEEDED,
    "OLE": Verdict.OUTPUT_LIMIT_EXCEEDED,
    "RTE": Verdict.RUNTIME_ERROR,
    "CE": Verdict.COMPILE_ERROR,
}


def fold(planned: int, verdicts: Sequence[Verdict]) -> Verdict:
    """The submission's verdict from its cases' verdicts in planned order.

    ``planned`` is the number of cases that the package holds: it is counted outside the box and
    before anything ran. Accepted only if every planned case passed and at least one was planned;
    a missing case, or any fault of the judge, is internal_error and never a pass. Otherwise the
    first case that failed decides.
    """
    if planned < 1 or len(verdicts) != planned or Verdict.INTERNAL_ERROR in verdicts:
        return Verdict.INTERNAL_ERROR
    for verdict in verdicts:
        if verdict is not Verdict.ACCEPTED:
            # Cases are skipped only after one that failed, so a leading skip is our own fault.
            return Verdict.INTERNAL_ERROR if verdict is Verdict.SKIPPED else verdict
    return Verdict.ACCEPTED
