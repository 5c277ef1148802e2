"""Creating accounts and changing roles."""

import threading
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, reset_tzpath

import pytest
from sqlalchemy import select

from judge.actions import sessions
from judge.actions.accounts import NewAccount, create_account
from judge.actions.change_account import AccountChange, change_account, change_role
from judge.actions.change_password import change_password
from judge.actions.passwords import check_password, hash_password
from judge.actions.sessions import Origin, sign_in
from judge.actions.time_zones import find_time_zone, is_time_zone
from judge.db.engine import Database
from judge.db.queries.accounts import find_account, find_password
from judge.db.queries.audit import AuditFilter, list_audit
from judge.db.tables import session
from judge.domain.access import Role
from judge.errors import Conflict, Invalid, NotFound, Unauthenticated

ADA = NewAccount("Ada", "correct horse", email="ada@example.org")


def test_an_account_is_found_however_its_handle_is_written(database: Database) -> None:
    created = create_account(database, ADA, Role.TEACHER)
    with database.read() as connection:
        assert find_account(connection, "aDA") == created
        stored = find_password(connection, created.id)
    assert created.role is Role.TEACHER
    assert created.display_name == "Ada"
    assert stored.secret_hash.startswith("$argon2id$")
    assert "correct horse" not in stored.secret_hash


def test_two_registrations_at_once_make_one_account(database: Database) -> None:
    outcomes: list[str] = []

    def register() -> None:
        try:
            create_account(database, ADA)
            outcomes.append("created")
        except Conflict as error:
            outcomes.append(error.code)

    threads = [threading.Thread(target=register) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["created"] + ["handle-taken"] * 3


def test_the_last_admin_stays_admin(database: Database) -> None:
    create_account(database, ADA, Role.ADMIN)
    with pytest.raises(Conflict) as refused:
        change_role(database, "ada", Role.LEARNER)
    assert refused.value.code == "last-admin"
    assert change_role(database, "ada", Role.ADMIN).role is Role.ADMIN
    create_account(database, NewAccount("bob", "correct horse"))
    assert change_role(database, "bob", Role.ADMIN).role is Role.ADMIN
    assert change_role(database, "ada", Role.LEARNER).role is Role.LEARNER
    with pytest.raises(NotFound):
        change_role(database, "nobody", Role.ADMIN)


def test_two_last_admins_cannot_both_step_down(database: Database) -> None:
    for handle in ("ada", "bob"):
        create_account(database, NewAccount(handle, "correct horse"), Role.ADMIN)
    outcomes: list[str] = []

    def step_down(handle: str) -> None:
        try:
            outcomes.append(change_role(database, handle, Role.LEARNER).role.value)
        except Conflict as error:
            outcomes.append(error.code)

    threads = [threading.Thread(target=step_down, args=(handle,)) for handle in ("ada", "bob")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["last-admin", "learner"]


def test_every_broken_rule_is_named(sqlite_database: Database) -> None:
    new = NewAccount("a b", "12345678", email="no", display_name="\n", locale="xx", time_zone="x")
    with pytest.raises(Invalid) as refused:
        create_account(sqlite_database, new)
    assert [flaw.pointer for flaw in refused.value.flaws] == [
        "/handle",
        "/email",
        "/display_name",
        "/locale",
        "/time_zone",
    ]


def test_passwords() -> None:
    stored = hash_password("pässwörd 🔑")
    assert check_password("pässwörd 🔑", stored)
    assert not check_password("password", stored)
    assert not check_password("password", None)
    assert not check_password("x" * 300, hash_password("x" * 256))
    assert not check_password("password", "no hash at all")
    for bad in ("1234567", "x" * 257):
        with pytest.raises(Invalid):
            hash_password(bad)


@pytest.mark.parametrize("meanwhile", ["password", "disabled"])
def test_a_sign_in_that_began_before_a_change_opens_no_session_after_it(
    sqlite_database: Database, monkeypatch: pytest.MonkeyPatch, meanwhile: str
) -> None:
    """Between comparing the password and opening the session something else is committed."""
    ada = create_account(sqlite_database, ADA, Role.LEARNER)

    def compare(password: str, secret_hash: str | None) -> bool:
        fits = check_password(password, secret_hash)
        if meanwhile == "disabled":
            change_account(sqlite_database, None, ada, AccountChange(state="disabled"))
        else:
            change_password(sqlite_database, ada.id, password, "battery staple", Origin())
        return fits

    monkeypatch.setattr(sessions, "check_password", compare)
    with pytest.raises(Unauthenticated, match="bad-credentials"):
        sign_in(sqlite_database, "ada", "correct horse", Origin("early"))
    with sqlite_database.read() as connection:
        opened = connection.scalars(select(session.c.ip_prefix)).all()
    assert "early" not in opened


def test_a_role_given_on_the_command_line_is_audited_too(sqlite_database: Database) -> None:
    ada = create_account(sqlite_database, ADA)
    change_role(sqlite_database, "ada", Role.TEACHER)
    with sqlite_database.read() as connection:
        entry, made = list_audit(connection, AuditFilter(), None, 10)
    assert (made.action, made.actor_id) == ("account.create", None)
    assert (entry.actor, entry.action, entry.target) == (
        None,
        "account.change",
        f"account:{ada.id}",
    )
    assert (entry.before, entry.after) == ({"role": "learner"}, {"role": "teacher"})


@pytest.mark.parametrize(
    ("name", "known"),
    [("UTC", True), ("Asia/Ho_Chi_Minh", True), ("", False), ("../UTC", False), ("Asia", False)],
)
def test_time_zones(name: str, known: bool) -> None:
    assert is_time_zone(name) is known


def test_time_zones_come_from_no_file_of_the_machine() -> None:
    reset_tzpath(to=())
    ZoneInfo.clear_cache()
    try:
        summer = datetime(2026, 7, 1, 12, tzinfo=UTC)
        for name, hours in (("Asia/Tokyo", 9), ("America/New_York", -4), ("UTC", 0)):
            zone = find_time_zone.__wrapped__(name)
            assert summer.astimezone(zone).utcoffset() == timedelta(hours=hours)
            assert zone.key == name
    finally:
        reset_tzpath()


def test_a_stored_zone_that_is_no_more_counts_as_utc() -> None:
    assert find_time_zone("Mars/Olympus").key == "UTC"
