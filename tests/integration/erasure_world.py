"""An account that has left canaries wherever it can, and where they are still found."""

import json
from functools import cache

from db_world import SLUG, hand_in, judgement, learner, take
from sqlalchemy import insert, select, update

from judge.actions.give_feedback import NewFeedback, give_feedback
from judge.actions.passwords import hash_password
from judge.actions.record import record, record_fault
from judge.actions.rejudge import start_rejudge
from judge.actions.rejudge_apply import apply_rejudge
from judge.actions.sessions import hash_secret
from judge.db.engine import Database
from judge.db.tables import (
    account,
    credential,
    data_export,
    draft,
    idempotency_record,
    membership,
    metadata,
    one_time_link,
    run,
    school_class,
    session,
)
from judge.db.tables import judgement as judgement_table
from judge.db.tables import revision as revision_table
from judge.db.tables import test_result as result_table
from judge.db.types import new_id, now
from judge.domain.access import Caller, Role
from judge.domain.feedback import FeedbackKind
from judge.domain.rejudging import Selector

# Everything that is to be gone holds this.
CANARY = "CanaryOf"
HANDLE = f"{CANARY}Handle"
PASSWORD = "canary password"  # noqa: S105 - of nobody
COOKIE = "a cookie of the canary"


def add_person(database: Database) -> Caller:
    """A learner with a submission that was judged, rejudged and applied, and with canaries."""
    caller = learner(database, HANDLE)
    with database.write() as connection:
        connection.execute(
            update(account)
            .where(account.c.id == caller.account_id)
            .values(
                display_name=f"{CANARY}Name",
                email=f"{CANARY}@example.org",
                email_key=f"{CANARY}@example.org".lower(),
                prefs={"editor": f"{CANARY}Prefs"},
            )
        )
    return caller


def leave_traces(database: Database, caller: Caller) -> str:
    """Fill every table that an account can write into; the submission's id."""
    submitted = hand_in(database, caller, f"{CANARY}Source = 1\n")
    assert record(database, take(database), judgement(40))
    started = start_rejudge(database, None, SLUG, Selector())
    assert record(database, take(database), judgement(100))
    apply_rejudge(database, None, started.rejudge_id)
    hand_in(database, caller, f"{CANARY}Fault = 1\n")
    assert record_fault(database, take(database), f"{CANARY}Detail")
    texts = {
        name: f"{CANARY}{name}"
        for name in ("message", "error_class", "stdout_head", "stderr_head", "note")
    }
    with database.write() as connection:
        connection.execute(update(result_table).values(got_blob=f"{CANARY}Got".encode(), **texts))
        connection.execute(update(judgement_table).values(compile_log=f"{CANARY}Log"))
    _leave_rows(database, caller)
    give_feedback(
        database,
        caller,
        NewFeedback(SLUG, FeedbackKind.TEST, "kept", "en", submitted.submission_id),
    )
    return submitted.submission_id


def _leave_rows(database: Database, caller: Caller) -> None:
    moment, class_id, mine = now(), new_id(), {"account_id": caller.account_id}
    with database.write() as connection:
        revision = connection.execute(
            select(revision_table.c.id, revision_table.c.problem_id)
        ).one()
        code = {
            "problem_id": revision.problem_id,
            "language": "python",
            "source": f"{CANARY}Draft",
            **mine,
        }
        for table, values in (
            (credential, {"id": new_id(), "kind": "password", "subject": caller.account_id}),
            (
                session,
                {
                    "id_hash": hash_secret(COOKIE),
                    "seen_at": moment,
                    "expires_at": moment.replace(year=moment.year + 1),
                    "ip_prefix": f"{CANARY}Net",
                    "user_agent": f"{CANARY}Browser",
                },
            ),
            (draft, {**code, "etag": "x", "updated_at": moment}),
            (
                run,
                {
                    **code,
                    "id": new_id(),
                    "revision_id": revision.id,
                    "inputs": [f"{CANARY}Input"],
                    "results": {"returned": f"{CANARY}Result"},
                    "state": "judged",
                    "expires_at": moment,
                },
            ),
            (
                idempotency_record,
                {
                    "route": "r",
                    "key": f"{CANARY}Key",
                    "body_hash": "x",
                    "headers": {},
                    "body": f"{CANARY}Body".encode(),
                    "expires_at": moment,
                },
            ),
            (
                data_export,
                {
                    "id": new_id(),
                    "state": "ready",
                    "archive": f"{CANARY}Archive".encode(),
                    "expires_at": moment,
                },
            ),
            (
                one_time_link,
                {
                    "secret_hash": f"{CANARY}Link",
                    "purpose": "reset",
                    "role": "learner",
                    "expires_at": moment,
                },
            ),
            (
                school_class,
                {
                    "id": class_id,
                    "name": "A",
                    "locale": "en",
                    "time_zone": "UTC",
                    "updated_at": moment,
                },
            ),
            (
                membership,
                {
                    "class_id": class_id,
                    "role": "learner",
                    "state": "active",
                    "external_id": f"{CANARY}Number",
                },
            ),
        ):
            known = {**mine, "created_at": moment, **values}
            row = {name: value for name, value in known.items() if name in table.c}
            if table is credential:
                row["secret_hash"] = _password_hash()
            connection.execute(insert(table).values(row))


def canaries(database: Database) -> list[str]:
    """Every column of any table that still holds one, as ``table.column``."""
    found = set()
    with database.read() as connection:
        for table in metadata.sorted_tables:
            for row in connection.execute(select(table)):
                for name, value in row._mapping.items():
                    if CANARY.lower() in _text(value).lower():
                        found.add(f"{table.name}.{name}")
    return sorted(found)


def _text(value: object) -> str:
    if isinstance(value, bytes | memoryview):
        return bytes(value).decode("latin-1")
    return value if isinstance(value, str) else json.dumps(value, default=str)


def admin(database: Database, handle: str) -> Caller:
    caller = learner(database, handle)
    with database.write() as connection:
        connection.execute(
            update(account).where(account.c.id == caller.account_id).values(role="admin")
        )
    return Caller(caller.account_id, handle, Role.ADMIN)


@cache
def _password_hash() -> str:
    """Slow on purpose, so it is made once."""
    return hash_password(PASSWORD)
