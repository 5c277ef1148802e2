"""The pages below /docs: the API's routes, and what each error code means.

For everybody, signed in or not. They count for no rate: each is made once and kept, and the one
that explains ``too-many-requests`` must be there for those who have made too many.
"""

from collections.abc import Callable

from fastapi import APIRouter, Request, Response

from judge.web.api_reference import read_document
from judge.web.error_codes import CodesByStatus, describe_code, list_codes
from judge.web.pages import STYLE_ADDRESS, AnswerUnlessKnown, FindLocale, Pages

ERRORS = "/docs/errors"
_METHODS = ("GET", "HEAD")


def make_router(
    find_locale: FindLocale, answer_unless_known: AnswerUnlessKnown, known: CodesByStatus
) -> APIRouter:
    """The routes of these pages, which stand in no OpenAPI document.

    Args:
        find_locale: in which locale a request is answered.
        answer_unless_known: a body with its ETag, or 304.
        known: the error codes by the status that they come with.
    """
    pages = Pages(find_locale, answer_unless_known)
    codes = list_codes()

    def show_api(request: Request) -> Response:
        document = request.app.openapi
        return pages.show_lasting(request, "api.html", "/docs", lambda _: read_document(document()))

    def show_codes(request: Request) -> Response:
        return pages.show_lasting(
            request,
            "errors.html",
            ERRORS,
            lambda reader: [describe_code(code, reader.locale, known) for code in codes],
        )

    def show_code(request: Request, code: str) -> Response:
        if not code:
            return show_codes(request)
        if code not in codes:
            return pages.show_missing(request, "unknown_error.html", code)
        return pages.show_lasting(
            request,
            "error.html",
            f"{ERRORS}/{code}",
            lambda reader: describe_code(code, reader.locale, known),
        )

    router = APIRouter(include_in_schema=False)
    routes: tuple[tuple[str, Callable[..., Response]], ...] = (
        ("/docs", show_api),
        (STYLE_ADDRESS, pages.show_style),
        (ERRORS, show_codes),
        # Whatever stands there, slashes and all, is a code that does not exist.
        (ERRORS + "/{code:path}", show_code),
    )
    for path, endpoint in routes:
        router.add_api_route(path, endpoint, methods=list(_METHODS), response_model=None)
    return router
