"""The caller's notices: what was said to the account, in the reader's locale."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from judge.actions.read_notices import read_notices
from judge.api.deps import PartsDep, ReadLocale, require
from judge.api.ids import NOTICE, read
from judge.api.pages import PageQuery, link_next, read_cursor, read_moment, write_cursor
from judge.api.schemas.base import answers, asks
from judge.api.schemas.problems import in_locale
from judge.api.schemas.told import (
    TOLD_EXAMPLE,
    MyNoticeAnswer,
    MyNoticePage,
    ReadNoticesRequest,
    UnreadAnswer,
    told_answer,
)
from judge.db.engine import Database
from judge.db.queries.notices import Notice, count_unread, list_notices, map_subjects
from judge.db.queries.problems import list_titles
from judge.domain.access import Caller, Scope
from judge.errors import Invalid, NotFound, flaw

router = APIRouter(prefix="/me/notices", tags=["me"])
# Notices tell scores.
Reader = Annotated[Caller, Depends(require(Scope.SCORES_READ))]


class _Listing:
    """Which notices, in which words."""

    def __init__(
        self,
        locale: ReadLocale,
        unread: Annotated[bool, Query(description="Only those that are unread.")] = False,
    ) -> None:
        self.locale = locale
        self.only_unread = unread


@router.get(
    "",
    summary="List my notices",
    responses=answers({"items": [TOLD_EXAMPLE], "unread": 1, "next": None}, 200, 401, 403, 422),
)
def list_my_notices(
    request: Request,
    response: Response,
    joined: PartsDep,
    caller: Reader,
    page: PageQuery,
    listing: Annotated[_Listing, Depends()],
) -> MyNoticePage:
    """The newest first: scores that a rejudge changed, and what became of feedback."""
    key = read_cursor(page.cursor, (str, str))
    after = None if key is None else (read_moment(str(key[0])), str(key[1]))
    with joined.database.read() as connection:
        found = list_notices(
            connection,
            caller.account_id,
            after,
            page.limit + 1,
            only_unread=listing.only_unread,
        )
        unread = count_unread(connection, caller.account_id)
    shown = found[: page.limit]
    more = None
    if len(found) > page.limit:
        more = write_cursor(shown[-1].at.isoformat(), shown[-1].id)
    return MyNoticePage(
        items=_told(joined.database, caller.account_id, shown, listing.locale),
        unread=unread,
        next=link_next(request, response, more),
    )


@router.post(
    "/read",
    summary="Mark notices as read",
    responses=answers({"unread": 0}, 200, 401, 403, 422),
    openapi_extra=asks({"ids": ["ntc_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f"]}),
)
def mark_notices_read(body: ReadNoticesRequest, joined: PartsDep, caller: Reader) -> UnreadAnswer:
    """These, or all; one that is none of the caller's changes nothing."""
    if body.all == bool(body.ids):
        raise Invalid("invalid-notices", flaw("/ids", "notices-which"))
    wanted = None if body.all else [_identifier(place, one) for place, one in enumerate(body.ids)]
    return UnreadAnswer(unread=read_notices(joined.database, caller.account_id, wanted))


def _told(
    database: Database, account_id: str, notices: tuple[Notice, ...], locale: str
) -> list[MyNoticeAnswer]:
    with database.read() as connection:
        subjects = map_subjects(connection, notices)
        revisions = {one.revision_id for one in subjects.values() if one.revision_id is not None}
        titles = list_titles(connection, sorted(revisions))
    told = []
    for one in notices:
        subject = subjects.get(one.ref)
        title = ""
        if subject is not None:
            title = in_locale(titles.get(subject.revision_id or "", {}), locale) or subject.name
        told.append(told_answer(one, subject, title, account_id, locale))
    return told


def _identifier(place: int, text: str) -> str:
    try:
        return read(NOTICE, text)
    except NotFound:
        raise Invalid("invalid-notices", flaw(f"/ids/{place}", "notice")) from None
