"""What the owner of a submission may still do with it: try again after our fault, see a case."""

from typing import Annotated

from fastapi import APIRouter, Path, Response

from judge.actions.retry import retry
from judge.actions.reveal import Revealed, reveal
from judge.api.desks import Desk, Writing
from judge.api.ids import SUBMISSION, read, show
from judge.api.once import Once, OnceRoute
from judge.api.schemas.base import answers, sending
from judge.api.schemas.submissions import (
    RETRY_EXAMPLE,
    REVEAL_EXAMPLE,
    RetryAnswer,
    RevealAnswer,
    case_answer,
)
from judge.db.queries.submissions import list_case_results
from judge.domain.access import visible_case

router = APIRouter(
    prefix="/submissions/{submission_id}", tags=["submissions"], route_class=OnceRoute
)
_MAX_ORDINAL = 2**31 - 1


@router.post(
    "/retry",
    status_code=202,
    summary="Judge a submission again",
    responses=sending(answers(RETRY_EXAMPLE, 202, 401, 403, 404, 409), "Location"),
)
def retry_submission(
    submission_id: str, response: Response, desk: Writing, _once: Once
) -> RetryAnswer:
    """Queue a submission that the judge itself failed once more; three times at most."""
    identifier = read(SUBMISSION, submission_id)
    retried = retry(desk.joined.database, desk.caller, identifier)
    desk.joined.bell.ring(f"lane:{retried.lane}")
    desk.joined.bell.ring(f"submission:{identifier}")
    response.headers["Location"] = f"/api/v1/submissions/{show(SUBMISSION, identifier)}"
    return RetryAnswer(
        id=show(SUBMISSION, identifier), state="queued", retries_left=retried.retries_left
    )


@router.post(
    "/reveal/{ordinal}",
    summary="Reveal a failed case",
    responses=answers(REVEAL_EXAMPLE, 200, 401, 403, 404, 409, 422),
)
def reveal_case(
    submission_id: str, ordinal: Annotated[int, Path(ge=1, le=_MAX_ORDINAL)], desk: Writing
) -> RevealAnswer:
    """Show the whole of a hidden case that failed; how many on a problem its author decides."""
    identifier = read(SUBMISSION, submission_id)
    revealed = reveal(desk.joined.database, desk.caller, identifier, ordinal)
    return _shown(desk, revealed)


def _shown(desk: Desk, revealed: Revealed) -> RevealAnswer:
    with desk.joined.database.read() as connection:
        results = list_case_results(connection, revealed.judgement_id, (revealed.path,))
    case, result = next(pair for pair in results if pair[0].path == revealed.path)
    shown = visible_case(case, result, desk.caller.role, revealed=True)
    return RevealAnswer(case=case_answer(shown, desk.locale), reveals_left=revealed.reveals_left)
