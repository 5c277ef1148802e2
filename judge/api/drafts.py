"""Drafts: one an account, problem and language; nobody else reads it.

A change names what it began from, by If-Match, or by If-None-Match: * that there was nothing. Two
pages that are open at once therefore cannot overwrite each other's work unseen.
"""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Request, Response

from judge.actions.drafts import ANY, NONE, DraftConflict, NewDraft, drop_draft, save_draft
from judge.api.desks import Reading, Writing
from judge.api.errors import HttpProblem
from judge.api.etags import answer_unless_known
from judge.api.schemas.base import answers, asks
from judge.api.schemas.choices import LanguageId
from judge.api.schemas.drafts import DRAFT_EXAMPLE, DraftAnswer, DraftRequest, draft_answer
from judge.api.submission_answers import read_revision
from judge.db.queries.drafts import Draft, find_draft
from judge.db.queries.problems import select_visible_problem
from judge.errors import NotFound

router = APIRouter(prefix="/problems/{slug}/drafts", tags=["drafts"])


@dataclass(frozen=True)
class Held:
    """What a caller says of the draft that it has."""

    if_match: str | None
    if_none_match: str | None


async def _held(
    if_match: Annotated[str | None, Header(description="The ETag of the draft.")] = None,
    if_none_match: Annotated[
        str | None, Header(description="`*` where there was no draft; else If-Match is needed.")
    ] = None,
) -> Held:
    return Held(if_match, if_none_match)


HeldQuery = Annotated[Held, Depends(_held)]


@router.get(
    "/{language}",
    summary="Read a draft",
    responses=answers(DRAFT_EXAMPLE, 200, 304, 401, 403, 404, 410),
    response_model=DraftAnswer,
)
def show_draft(slug: str, language: LanguageId, request: Request, desk: Reading) -> Response:
    """The caller's draft in a language, also of a problem that was retired since."""
    with desk.joined.database.read() as connection:
        found = find_draft(connection, desk.caller.account_id, slug, language)
        if found is None:
            select_visible_problem(connection, slug, desk.caller)
            raise NotFound("draft-not-found")
    body = draft_answer(found).model_dump_json().encode()
    return answer_unless_known(request, body, {}, etag=_quoted(found))


@router.put(
    "/{language}",
    summary="Save a draft",
    responses=answers(DRAFT_EXAMPLE, 200, 400, 401, 403, 404, 410, 412, 413, 422, 428),
    openapi_extra=asks({"source": "def sample_token(logits, k): ..."}),
)
def put_draft(
    slug: str,
    language: LanguageId,
    body: DraftRequest,
    held: HeldQuery,
    response: Response,
    desk: Writing,
) -> DraftAnswer:
    """Keep a draft: the first with `If-None-Match: *`, a later one with `If-Match`.

    412 `draft-conflict` holds both: `stored`, and what was `sent`.
    """
    new = NewDraft(slug, language, body.source, read_revision(body.revision))
    saved = save_draft(desk.joined.database, desk.caller, new, _expected(held, "draft"))
    if isinstance(saved, DraftConflict):
        raise _conflict(saved, body.source)
    response.headers["ETag"] = _quoted(saved)
    return draft_answer(saved)


@router.delete(
    "/{language}",
    status_code=204,
    summary="Throw a draft away",
    responses=answers(None, 204, 401, 403, 404, 412, 428),
)
def delete_draft(slug: str, language: LanguageId, held: HeldQuery, desk: Writing) -> None:
    """Throw the caller's draft away; If-Match names which."""
    expected = _expected(held, "changed")
    conflict = drop_draft(desk.joined.database, desk.caller, slug, language, expected)
    if conflict is not None:
        raise _conflict(conflict, None)


def _expected(held: Held, lacking: str) -> str:
    """What the caller takes for the present draft; ``lacking`` says what to do where it does not.

    Raises:
        HttpProblem: 428, it does not say.
    """
    if held.if_match is not None:
        # An empty name is none that a draft has, and must not be taken for "there is none".
        return held.if_match.strip().strip('"') or "?"
    if (held.if_none_match or "").strip() == ANY:
        return NONE
    raise HttpProblem(428, "if-match-missing", variant=lacking)


def _conflict(conflict: DraftConflict, sent: str | None) -> HttpProblem:
    stored = conflict.stored
    headers = {} if stored is None else {"ETag": _quoted(stored)}
    shown = None if stored is None else draft_answer(stored).model_dump(mode="json")
    details: dict[str, Any] = {} if sent is None else {"sent": {"source": sent}}
    return HttpProblem(412, "draft-conflict", headers=headers, stored=shown, **details)


def _quoted(found: Draft) -> str:
    return f'"{found.etag}"'
