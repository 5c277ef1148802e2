"""The row of a judgement that waits: of a submission, of another try, of a rejudge."""

from judge.db.types import new_id, now


def queued_judgement(
    submission_id: str, revision_id: str, planned: int, seq: int, cause: str
) -> dict[str, object]:
    """A new judgement's values.

    Args:
        submission_id: whose judgement it is.
        revision_id: on which revision it is judged.
        planned: how many cases that has (judge.db.queries.problems.count_cases).
        seq: its number among the submission's judgements, from 1.
        cause: ``submit``, which counts at once, or ``rejudge``, which waits to be taken.
    """
    return {
        "id": new_id(),
        "submission_id": submission_id,
        "revision_id": revision_id,
        "seq": seq,
        "cause": cause,
        "state": "queued",
        "tests_done": 0,
        "tests_planned": planned,
        "tests_passed": 0,
        "reason": "",
        "compile_log": "",
        "toolchain": {},
        "created_at": now(),
        "is_current": cause == "submit",
    }
