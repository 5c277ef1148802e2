"""Accounts as admins see them, and their import."""

from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import Field

from judge.actions.import_accounts import MAX_ROWS, Imported, Row
from judge.api.ids import ACCOUNT, show
from judge.api.schemas.base import AnswerModel, Moment, RequestModel, Text
from judge.api.schemas.choices import LocaleId
from judge.api.schemas.links import RESET_EXAMPLE, NewLinkAnswer, new_link_answer
from judge.api.schemas.row_errors import RowErrorAnswer, row_error_answer
from judge.db.queries.accounts import Account, State
from judge.domain.access import Role
from judge.errors import Flaw


class AdminAccountAnswer(AnswerModel):
    """An account as admins see it."""

    id: str
    handle: str
    display_name: str
    email: str | None
    role: Role
    state: State
    locale: LocaleId
    time_zone: str
    created_at: Moment


class AdminAccountPage(AnswerModel):
    """Accounts in the order in which they were made."""

    items: list[AdminAccountAnswer]
    next: str | None


class AdminAccountPatch(RequestModel):
    """What becomes of an account; a field that is missing or null stays."""

    role: Role | None = None
    state: Literal["active", "disabled"] | None = None
    display_name: Annotated[Text, Field(max_length=320)] | None = None


_Cell = Annotated[Text, Field(max_length=320)]


class ImportRow(RequestModel):
    """One account; an empty text is as good as a missing field.

    No text is refused by its shape: what is wrong with one is said in `errors`, by its row.
    """

    handle: _Cell
    display_name: _Cell | None = None
    email: _Cell | None = None
    role: _Cell | None = None
    locale: _Cell | None = None
    time_zone: _Cell | None = None


class AccountImport(RequestModel):
    """The accounts that should be there."""

    accounts: Annotated[list[ImportRow], Field(min_length=1, max_length=MAX_ROWS)]


class AddedAccount(AnswerModel):
    """An account that was made (in a dry run: would be); its link sets the first password."""

    row: int
    handle: str
    id: str | None
    link: NewLinkAnswer | None


class PresentAccount(AnswerModel):
    """An account that was there before and stays as it is."""

    row: int
    handle: str
    id: str


class ImportAnswer(AnswerModel):
    """What the import did, or in a dry run would do."""

    dry_run: bool
    applied: bool
    added: list[AddedAccount]
    unchanged: list[PresentAccount]
    errors: list[RowErrorAnswer]


def admin_account_answer(account: Account) -> AdminAccountAnswer:
    """An account as admins see it."""
    return AdminAccountAnswer(
        id=show(ACCOUNT, account.id),
        handle=account.handle,
        display_name=account.display_name,
        email=account.email,
        role=account.role,
        state=account.state,
        locale=account.locale,
        time_zone=account.time_zone,
        created_at=account.created_at,
    )


def rows_of(body: AccountImport) -> tuple[Row, ...]:
    """The rows as the import takes them."""
    return tuple(Row(**one.model_dump(exclude_none=True)) for one in body.accounts)


def import_answer(done: Imported, dry_run: bool, public_url: str, locale: str) -> ImportAnswer:
    """What the import did, in the reader's locale."""
    return ImportAnswer(
        dry_run=dry_run,
        applied=done.is_applied,
        added=[
            AddedAccount(
                row=one.row,
                handle=one.handle,
                id=None if one.account_id is None else show(ACCOUNT, one.account_id),
                link=None if one.link is None else new_link_answer(one.link, public_url),
            )
            for one in done.added
        ],
        unchanged=[
            PresentAccount(row=one.row, handle=one.handle, id=show(ACCOUNT, one.account_id))
            for one in done.unchanged
        ],
        errors=[
            row_error_answer(row, replace(found, pointer=pointer_in_list(row, found)), locale)
            for row, found in done.errors
        ],
    )


def pointer_in_list(row: int, found: Flaw) -> str:
    """Where in the body a row's field stands; rows of a CSV file are counted alike."""
    return f"/accounts/{row - 1}{found.pointer}"


ADMIN_ACCOUNT_EXAMPLE: dict[str, Any] = {
    "id": "acc_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "handle": "ada",
    "display_name": "Ada",
    "email": "ada@example.org",
    "role": "learner",
    "state": "active",
    "locale": "en",
    "time_zone": "Asia/Tokyo",
    "created_at": "2026-09-01T02:03:04.000005Z",
}
IMPORT_REQUEST_EXAMPLE = {
    "accounts": [
        {"handle": "ada", "display_name": "Ada", "email": "ada@example.org", "role": "learner"}
    ]
}
IMPORT_EXAMPLE = {
    "dry_run": False,
    "applied": True,
    "added": [
        {
            "row": 1,
            "handle": "ada",
            "id": "acc_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
            "link": {**RESET_EXAMPLE, "purpose": "invitation"},
        }
    ],
    "unchanged": [],
    "errors": [],
}
