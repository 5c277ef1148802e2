"""Every error as problem+json (RFC 9457).

Owns the one table from the judge's errors to HTTP, and the answers to what FastAPI and Starlette
refuse by themselves. ``code`` is stable and never translated; ``title``, ``detail`` and the
messages of ``errors`` speak the reader's locale (judge.i18n). ``instance`` is the request's id,
which also stands in the log.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.types import Scope

from judge.api.allowed_methods import find_methods
from judge.api.flaws import read_flaw
from judge.api.locales import HEADER, choose_locale
from judge.errors import (
    Conflict,
    Flaw,
    Forbidden,
    Gone,
    Invalid,
    JudgeError,
    NotFound,
    Refused,
    StorageUnavailable,
    TooLarge,
    TooMany,
    Unauthenticated,
)
from judge.i18n import flaw_message, problem_title, refusal

MEDIA_TYPE = "application/problem+json"
ERROR_PAGES = "/docs/errors"
_STATUS: Mapping[type[Refused], int] = {
    NotFound: 404,
    Gone: 410,
    Conflict: 409,
    Forbidden: 403,
    Unauthenticated: 401,
    Invalid: 422,
    TooLarge: 413,
    TooMany: 429,
}
# What Starlette and FastAPI refuse by themselves: code, and which of its sentences.
_OF_FRAMEWORK = {
    400: ("unreadable-request", "body"),
    404: ("not-found", ""),
    405: ("method-not-allowed", ""),
}
_MAX_SHOWN_TYPE = 80
# A full disk or a database that restarts: soon enough to notice, seldom enough not to press.
_RETRY_AFTER_S = 10
# Who sends ten thousand wrong fields gets no answer that is larger than that.
_MOST_FLAWS = 50
_log = logging.getLogger(__name__)


class HttpProblem(Exception):
    """A refusal that only HTTP knows: formats, rates, probes. Its texts are found as Refused's."""

    def __init__(
        self,
        status: int,
        code: str,
        *,
        variant: str = "",
        headers: Mapping[str, str] | None = None,
        **details: object,
    ) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.variant = variant
        self.headers = dict(headers or {})
        self.details = details


@dataclass(frozen=True)
class ProblemDocument:
    """One problem document before it has words."""

    status: int
    code: str
    variant: str = ""
    details: Mapping[str, object] = field(default_factory=dict)
    flaws: tuple[Flaw, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)

    def respond(self, scope: Scope) -> Response:
        """The response to a request, in the locale that is right for it."""
        locale = choose_locale(scope)
        body = self.body(locale, scope.get("state", {}).get("request_id", ""))
        headers = {**self.headers, HEADER: locale}
        return JSONResponse(body, self.status, headers, media_type=MEDIA_TYPE)

    def body(self, locale: str, instance: str) -> dict[str, Any]:
        """The document itself; ``instance`` is the request's id."""
        body = {
            "type": f"{ERROR_PAGES}/{self.code}",
            "title": problem_title(self.code, self.status, locale),
            "status": self.status,
            "code": self.code,
            "detail": refusal(self.code, self.variant, locale, self.details),
            "instance": instance,
            **self.details,
        }
        if self.flaws:
            body["errors"] = [
                {
                    "pointer": flaw.pointer,
                    "code": flaw.code,
                    "message": flaw_message(flaw.code, flaw.variant, locale, flaw.details),
                }
                for flaw in self.flaws
            ]
        return body


def install(app: FastAPI, meet_reader: Callable[[Request], None]) -> None:
    """Answer every error of the application with problem+json.

    ``meet_reader`` learns the locale of whoever sent a request; it never raises.
    """
    app.state.meet_reader = meet_reader
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(HttpProblem, _refused)
    app.add_exception_handler(RequestValidationError, _invalid_request)
    app.add_exception_handler(HTTPException, _http_exception)
    app.add_exception_handler(StorageUnavailable, _storage_unavailable)
    app.add_exception_handler(JudgeError, _failed)
    app.add_exception_handler(Exception, _failed)


def document_of(error: Refused | HttpProblem) -> ProblemDocument:
    """The problem document of a refusal."""
    if isinstance(error, HttpProblem):
        return ProblemDocument(
            error.status, error.code, error.variant, error.details, headers=error.headers
        )
    status = next((number for kind, number in _STATUS.items() if isinstance(error, kind)), 400)
    headers = {}
    if isinstance(error, Unauthenticated):
        headers["WWW-Authenticate"] = 'Bearer realm="judge"'
    if "seconds" in error.details:
        headers["Retry-After"] = str(error.details["seconds"])
    return ProblemDocument(
        status,
        error.code,
        error.variant,
        error.details,
        flaws=error.flaws if isinstance(error, Invalid | TooLarge) else (),
        headers=headers,
    )


def respond_to_reader(request: Request, problem: ProblemDocument) -> Response:
    """The response to whoever sent the request, who may not have been looked for yet."""
    request.app.state.meet_reader(request)
    return problem.respond(request.scope)


def answer_refusal(request: Request, error: Exception) -> Response | None:
    """The answer to what the client is to blame for; None for any other error."""
    if isinstance(error, Refused | HttpProblem):
        return _refused(request, error)
    if isinstance(error, RequestValidationError):
        return _invalid_request(request, error)
    if isinstance(error, HTTPException):
        return _http_exception(request, error)
    return None


def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused | HttpProblem)  # noqa: S101 - registered for these classes
    return respond_to_reader(request, document_of(error))


def not_json(request: Request, variant: str = "only") -> HttpProblem:
    """The refusal of a body that came as something else than the JSON which is expected."""
    kind = request.headers.get("content-type", "")[:_MAX_SHOWN_TYPE]
    sent = "".join(sign if " " <= sign <= "~" else "?" for sign in kind)
    return HttpProblem(415, "not-json", variant=variant, sent=sent)


def is_unread(error: RequestValidationError) -> bool:
    """Whether the body was left as it came, because its type is not that of JSON, and refused."""
    is_left = isinstance(error.body, bytes)
    return is_left and any(one["loc"] == ("body",) for one in error.errors())


def _invalid_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for this class
    if is_unread(error):
        return _refused(request, not_json(request))
    found = error.errors()
    if any(one["type"] == "json_invalid" for one in found):
        return respond_to_reader(request, ProblemDocument(400, "invalid-json"))
    flaws = tuple(read_flaw(one) for one in found[:_MOST_FLAWS])
    return respond_to_reader(request, ProblemDocument(422, "invalid-request", flaws=flaws))


def _http_exception(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for this class only
    code, variant = _OF_FRAMEWORK.get(error.status_code, ("error", ""))
    headers = dict(error.headers or {})
    if error.status_code == 405:
        allowed = find_methods(request.app, request.scope["path"])
        headers |= {"Allow": allowed} if allowed else {}
    problem = ProblemDocument(error.status_code, code, variant, headers=headers)
    return respond_to_reader(request, problem)


def storage_document(scope: Scope, error: StorageUnavailable) -> ProblemDocument:
    """The problem document of a database that cannot be used now; the log gets the rest."""
    _log.error("request %s: %s", scope.get("state", {}).get("request_id", ""), error)
    return ProblemDocument(503, "storage-unavailable", headers={"Retry-After": str(_RETRY_AFTER_S)})


def _storage_unavailable(request: Request, error: Exception) -> Response:
    assert isinstance(error, StorageUnavailable)  # noqa: S101 - registered for this class only
    return storage_document(request.scope, error).respond(request.scope)


def _failed(request: Request, error: Exception) -> Response:
    """The judge's own fault: the reader gets an id, the log gets the rest."""
    instance = request.scope.get("state", {}).get("request_id", "")
    _log.error("request %s failed", instance, exc_info=error)
    return ProblemDocument(500, "judge-failed").respond(request.scope)
