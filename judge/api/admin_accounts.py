"""What admins do with accounts: look, change roles and states, import; and links for people.

Links are also made by teachers, for the learners of their own classes.
"""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query, Request, Response

from judge.actions.change_account import AccountChange
from judge.actions.change_account import change_account as apply_change
from judge.actions.import_accounts import import_accounts as apply_import
from judge.api.csv_bodies import CSV, TableRoute
from judge.api.deps import PartsDep, ReadLocale, require
from judge.api.etags import check_if_match, etag_of, not_changed
from judge.api.ids import ACCOUNT, read
from judge.api.pages import PageQuery, link_next, read_cursor, write_cursor
from judge.api.schemas.admin_accounts import (
    ADMIN_ACCOUNT_EXAMPLE,
    IMPORT_EXAMPLE,
    IMPORT_REQUEST_EXAMPLE,
    AccountImport,
    AdminAccountAnswer,
    AdminAccountPage,
    AdminAccountPatch,
    ImportAnswer,
    admin_account_answer,
    import_answer,
    pointer_in_list,
    rows_of,
)
from judge.api.schemas.base import answers, asks
from judge.db.queries.accounts import Account, AccountFilter, State, select_account
from judge.db.queries.accounts import list_accounts as query_accounts
from judge.domain.access import Caller, Role, Scope
from judge.errors import Invalid

router = APIRouter(prefix="/admin", tags=["admin"], route_class=TableRoute)
AccountsAdmin = Annotated[Caller, Depends(require(Scope.ADMIN_ACCOUNTS))]
_TABLE = "handle,display_name,email,role,locale,time_zone\r\nada,Ada,,learner,en,Asia/Tokyo\r\n"
_IMPORT_BODY = {
    "requestBody": {
        "content": {
            "application/json": {"example": IMPORT_REQUEST_EXAMPLE},
            CSV: {"schema": {"type": "string"}, "example": _TABLE},
        }
    }
}


def _filter(
    q: Annotated[
        str, Query(max_length=64, description="Stands in handle, name or e-mail address.")
    ] = "",
    role: Annotated[Role | None, Query(description="Only with this role.")] = None,
    state: Annotated[State | None, Query(description="Only in this state.")] = None,
) -> AccountFilter:
    return AccountFilter(q, None if role is None else role.value, state)


@router.get(
    "/accounts",
    summary="List accounts",
    responses=answers({"items": [ADMIN_ACCOUNT_EXAMPLE], "next": None}, 200, 401, 403, 422),
)
def list_accounts(
    request: Request,
    response: Response,
    joined: PartsDep,
    _caller: AccountsAdmin,
    page: PageQuery,
    wanted: Annotated[AccountFilter, Depends(_filter)],
) -> AdminAccountPage:
    """Every account, in the order in which they were made."""
    key = read_cursor(page.cursor, (str,))
    after = None if key is None else str(key[0])
    with joined.database.read() as connection:
        found = query_accounts(connection, wanted, after, page.limit + 1)
    shown = found[: page.limit]
    more = write_cursor(shown[-1].id) if len(found) > page.limit else None
    return AdminAccountPage(
        items=[admin_account_answer(one) for one in shown], next=link_next(request, response, more)
    )


@router.get(
    "/accounts/{account_id}",
    summary="Read an account",
    responses=answers(ADMIN_ACCOUNT_EXAMPLE, 200, 401, 403, 404),
)
def show_account(
    account_id: str, response: Response, joined: PartsDep, _caller: AccountsAdmin
) -> AdminAccountAnswer:
    """One account; the ETag is what a change must name."""
    with joined.database.read() as connection:
        found = select_account(connection, read(ACCOUNT, account_id))
    return _answer(found, response)


@router.patch(
    "/accounts/{account_id}",
    summary="Change an account's role, state or name",
    responses=answers(ADMIN_ACCOUNT_EXAMPLE, 200, 401, 403, 404, 409, 412, 422, 428),
    openapi_extra=asks({"role": "teacher", "state": "active"}),
)
def change_account(
    account_id: str,
    body: AdminAccountPatch,
    response: Response,
    joined: PartsDep,
    caller: AccountsAdmin,
    if_match: Annotated[str | None, Header(description="The ETag that was read.")] = None,
) -> AdminAccountAnswer:
    """Change an account; disabling ends its sessions, tokens and links at once.

    The last active admin can neither be disabled nor get another role: 409 ``last-admin``.
    """
    with joined.database.read() as connection:
        before = select_account(connection, read(ACCOUNT, account_id))
    check_if_match(if_match, _etag(before))
    wanted = AccountChange(body.role, body.state, body.display_name)
    with not_changed("account-changed"):
        changed = apply_change(joined.database, caller, before, wanted)
    return _answer(changed, response)


@router.post(
    "/accounts:import",
    summary="Import accounts",
    responses=answers(IMPORT_EXAMPLE, 200, 401, 403, 409, 422),
    openapi_extra=_IMPORT_BODY,
)
def import_accounts(
    body: AccountImport,
    joined: PartsDep,
    caller: AccountsAdmin,
    locale: ReadLocale,
    dry_run: Annotated[bool, Query(description="Only say what would be done.")] = False,
    apply_valid: Annotated[bool, Query(description="Leave out rows that break a rule.")] = False,
) -> ImportAnswer:
    """Make the accounts of a list that are missing, each with a one-time link for its password.

    The body is JSON, or text/csv with a header of the same names. Where a row breaks a rule it is
    named and nothing is made (422 with every such row), unless ``apply_valid`` leaves them out. A
    handle that is there stays as it is, so the same list can be sent again. Rows make learners and
    teachers; admins are made one by one.
    """
    done = apply_import(
        joined.database, caller, rows_of(body), dry_run=dry_run, apply_valid=apply_valid
    )
    if not (done.is_applied or dry_run):
        flaws = (replace(one, pointer=pointer_in_list(row, one)) for row, one in done.errors)
        rows = sorted({row for row, _ in done.errors})
        raise Invalid("import-invalid", *flaws, rows=rows)
    return import_answer(done, dry_run, joined.settings.public_url, locale)


def _answer(account: Account, response: Response) -> AdminAccountAnswer:
    response.headers["ETag"] = _etag(account)
    return admin_account_answer(account)


def _etag(account: Account) -> str:
    return etag_of(repr(account))
