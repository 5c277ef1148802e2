"""What all shapes share, and how their examples get into the OpenAPI document."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, PlainSerializer
from pydantic_core import PydanticCustomError

from judge.api.errors import MEDIA_TYPE
from judge.domain.texts import text_flaw


def _keepable(text: str) -> str:
    found = text_flaw("", text)
    if found is not None:
        raise PydanticCustomError(found.code, "a text that cannot be kept")
    return text


# Every text of a request's body. Pydantic's own str lets NUL and lone surrogates through.
Text = Annotated[str, AfterValidator(_keepable)]

# Always UTC, always with microseconds: texts of equal length sort as the times do.
Moment = Annotated[
    datetime,
    PlainSerializer(lambda moment: moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ"), return_type=str),
]


class RequestModel(BaseModel):
    """A request's body; an unknown field is refused with its pointer."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class AnswerModel(BaseModel):
    """An answer; clients ignore fields that they do not know."""

    model_config = ConfigDict(frozen=True)


_PROBLEM_EXAMPLE = {
    "type": "/docs/errors/missing-scope",
    "title": "Not allowed",
    "status": 403,
    "code": "missing-scope",
    "detail": "This call needs the scope scores:read.",
    "instance": "req_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "needed": ["scores:read"],
    "have": ["problems:read"],
}


def answers(example: object, status: int = 200, *errors: int) -> dict[int | str, dict[str, Any]]:
    """The ``responses`` of an operation: one example of success, and the errors it may give."""
    content = {} if example is None else {"content": {"application/json": {"example": example}}}
    responses: dict[int | str, dict[str, Any]] = {status: content}
    keys: tuple[int | str, ...] = (*errors, "default")
    for key in keys:
        responses[key] = {
            "description": "A problem document (RFC 9457).",
            "content": {MEDIA_TYPE: {"example": _PROBLEM_EXAMPLE}},
        }
    return responses


def asks(example: dict[str, Any]) -> dict[str, Any]:
    """The ``openapi_extra`` of an operation with a body: one example of it."""
    return {"requestBody": {"content": {"application/json": {"example": example}}}}
