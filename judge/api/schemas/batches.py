"""Batches of submissions: what is asked for, and one answer an item."""

from typing import Annotated, Any

from pydantic import Field, SkipValidation, WithJsonSchema

from judge.api.schemas.base import NAMED, AnswerModel, RequestModel, Text
from judge.api.schemas.submissions import (
    SUBMISSION_EXAMPLE,
    NewSubmissionAnswer,
    SubmissionRequest,
)

MAX_ITEMS = 50


class BatchItem(SubmissionRequest):
    """One submission of a batch: a problem's slug, and what the single call takes."""

    problem: Text

    def submission(self) -> SubmissionRequest:
        """The body of the single call."""
        return SubmissionRequest(**self.model_dump(exclude={"problem"}))


class BatchRequest(RequestModel):
    """Up to 50 submissions. An item that is wrong in itself is refused alone, not the batch."""

    items: Annotated[
        list[Annotated[BatchItem, SkipValidation]], Field(min_length=1, max_length=MAX_ITEMS)
    ]


class BatchItemAnswer(AnswerModel):
    """What became of one item: the submission, or the problem document of its status."""

    index: int
    status: int
    submission: NewSubmissionAnswer | None
    problem: Annotated[dict[str, Any], WithJsonSchema({"type": "object", NAMED: "Problem"})] | None


class BatchAnswer(AnswerModel):
    """One answer an item, in the batch's order."""

    items: list[BatchItemAnswer]


BATCH_ASKED: dict[str, Any] = {
    "items": [
        {
            "problem": "sample_token",
            "language": "python",
            "source": "def sample_token(logits, k): ...",
        },
        {"problem": "sample_token", "language": "java", "source": ""},
    ]
}
BATCH_EXAMPLE: dict[str, Any] = {
    "items": [
        {
            "index": 0,
            "status": 201,
            "submission": {**SUBMISSION_EXAMPLE, "unlocked": ["hints", "solution"]},
            "problem": None,
        },
        {
            "index": 1,
            "status": 422,
            "submission": None,
            "problem": {
                "type": "/docs/errors/language-not-offered",
                "title": "Breaks a rule",
                "status": 422,
                "code": "language-not-offered",
                "detail": "This problem can be solved in: python.",
                "instance": "req_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
                "languages": ["python"],
            },
        },
    ]
}
