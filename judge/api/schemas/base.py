"""What all shapes share, and how their examples get into the OpenAPI document."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    GetJsonSchemaHandler,
    PlainSerializer,
    WithJsonSchema,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from judge.api.errors import MEDIA_TYPE
from judge.domain.texts import text_flaw


def _keepable(text: str) -> str:
    found = text_flaw("", text)
    if found is not None:
        raise PydanticCustomError(found.code, "a text that cannot be kept")
    return text


# As JSON Schema writes a regular expression.
NO_NUL = r"^[^\u0000]*$"
# Where a set of words has a name; judge.api.named_components takes it away again.
NAMED = "x-name"


class _NoNul:
    """Says in the OpenAPI document what a text cannot hold, unless the text says more itself."""

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        described = handler(schema)
        described.setdefault("pattern", NO_NUL)
        return described


# Every text of a request's body. Pydantic's own str lets NUL and lone surrogates through.
Text = Annotated[str, AfterValidator(_keepable), _NoNul()]


class OneOf:
    """Says in the OpenAPI document which words a text may be; checks nothing, so it costs nothing.

    ``name`` is how programs may call the set of words (judge.api.named_components). What is wrong
    with a request's word is said by whoever reads it.
    """

    def __init__(self, name: str, words: Iterable[str]) -> None:
        self._name = name
        self._words = [str(word) for word in words]

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        described = handler(schema)
        described.pop("pattern", None)
        return {**described, "enum": self._words, NAMED: self._name}


# Always UTC, always with microseconds: texts of equal length sort as the times do.
Moment = Annotated[
    datetime,
    PlainSerializer(
        lambda moment: moment.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z",
        return_type=str,
    ),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]


class RequestModel(BaseModel):
    """A request's body; an unknown field is refused with its pointer."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class AnswerModel(BaseModel):
    """An answer; clients ignore fields that they do not know."""

    model_config = ConfigDict(frozen=True)


def answers(example: object, status: int = 200, *errors: int) -> dict[int | str, dict[str, Any]]:
    """The ``responses`` of an operation: one example of success, and the errors it may give.

    What an error looks like is added by judge.api.openapi, and so are 401, 422 and 429 where every
    operation has them.
    """
    content = {} if example is None else {"content": {"application/json": {"example": example}}}
    responses: dict[int | str, dict[str, Any]] = {status: content}
    keys: tuple[int | str, ...] = (*errors, "default")
    for key in keys:
        responses[key] = {
            "description": "A problem document (RFC 9457).",
            "content": {MEDIA_TYPE: {}},
        }
    if 304 in responses:
        responses[304] = {"description": "What the client has is what there is."}
    return responses


def sending(
    responses: dict[int | str, dict[str, Any]], *names: str
) -> dict[int | str, dict[str, Any]]:
    """These ``responses``, where a success has headers that follow from nothing else declared.

    What a header looks like is said by judge.api.openapi_headers.
    """
    for status, answer in responses.items():
        if str(status).startswith("2"):
            answer["headers"] = {name: {} for name in names}
    return responses


def asks(example: dict[str, Any]) -> dict[str, Any]:
    """The ``openapi_extra`` of an operation with a body: one example of it."""
    return {"requestBody": {"content": {"application/json": {"example": example}}}}


def anybody() -> dict[str, Any]:
    """The ``openapi_extra`` of an operation that needs no credentials, and takes them."""
    return {"security": [{}, {"token": []}, {"session": []}]}
