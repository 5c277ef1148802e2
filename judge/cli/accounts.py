"""The commands ``judge accounts …``: for whoever administers the machine."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Annotated

import typer

from judge.actions.accounts import NewAccount, check_account, create_account
from judge.actions.change_account import change_role
from judge.actions.first_admin import offer_first_admin
from judge.actions.invite import invite
from judge.actions.links import NewLink
from judge.actions.reset_link import make_reset_link_for_handle
from judge.actions.tokens import create_token_for_handle
from judge.cli.exits import USAGE, error_exits, leave
from judge.cli.start import open_settings
from judge.db import migrate
from judge.db.engine import Database
from judge.domain.access import Role, Scope

app = typer.Typer(
    help="Create accounts, change roles, make tokens and links.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Handle = Annotated[str, typer.Argument(help="The account's handle.")]


@app.command()
def create(
    handle: Handle,
    role: Annotated[Role, typer.Option(help="What the account is.")] = Role.LEARNER,
    locale: Annotated[str, typer.Option(help="vi, ja or en.")] = "en",
    time_zone: Annotated[str, typer.Option(help="For example Asia/Tokyo.")] = "UTC",
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="Read the password from standard input.")
    ] = False,
) -> None:
    """Create an account; the password is asked for."""
    new = NewAccount(handle, "", locale=locale, time_zone=time_zone)
    with error_exits():
        check_account(new)
    new = replace(new, password=_read_password(password_stdin))
    with _database() as database:
        account = create_account(database, new, role)
    typer.echo(f"{account.handle} has the role {account.role.value}")


@app.command("role")
def set_role(handle: Handle, role: Annotated[Role, typer.Argument(help="The new role.")]) -> None:
    """Give an account another role."""
    with _database() as database:
        account = change_role(database, handle, role)
    typer.echo(f"{account.handle} has the role {account.role.value}")


@app.command("token")
def make_token(
    handle: Handle,
    name: Annotated[str, typer.Option(help="What the token is for.")] = "command line",
    scope: Annotated[
        list[Scope] | None,
        typer.Option(help="May be given more than once; by default all that the account may have."),
    ] = None,
) -> None:
    """Make an API token and print it, this once."""
    with _database() as database:
        new = create_token_for_handle(database, handle, name, scope)
    typer.echo(new.secret)


@app.command("link")
def make_link(
    role: Annotated[
        Role, typer.Option(help="What the account will be; admin only while there is none.")
    ] = Role.ADMIN,
) -> None:
    """Print a link by which somebody makes an account: the first admin, or who is invited."""
    with _database() as database:
        new = (
            offer_first_admin(database)
            if role is Role.ADMIN
            else next(iter(invite(database, None, role)))
        )
    _print_link(new)


@app.command("reset")
def make_reset(handle: Handle) -> None:
    """Print a link by which somebody sets a new password; the old one works until then."""
    with _database() as database:
        new = make_reset_link_for_handle(database, handle)
    _print_link(new)


def _print_link(new: NewLink) -> None:
    typer.echo(f"{open_settings().public_url}{new.path}")


def _read_password(from_stdin: bool) -> str:
    try:
        if from_stdin:
            return sys.stdin.readline().rstrip("\r\n")
        return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))
    except UnicodeDecodeError:
        leave(USAGE, "judge: the password is no UTF-8 text")


@contextmanager
def _database() -> Iterator[Database]:
    """The migrated database; a refusal becomes a message and exit status 2."""
    with error_exits(), Database(open_settings().database_url) as database:
        migrate.upgrade_database(database)
        yield database
