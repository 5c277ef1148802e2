"""Rejudging: start and cancel. Each is one transaction, and each is audited.

How it works: a start stores one new judgement for every selected submission, with is_current false,
and a job of the lowest priority for each. The jobs are rows, so whatever crashes goes on where it
was. Nothing that a learner sees changes before judge.actions.rejudge_apply flips is_current of all
of them in one transaction. ``cancel`` leaves the rows behind, marked, and nothing flips.

At most one rejudge of a problem is open (an index holds that). Whoever records, applies or cancels
locks the rejudge's row first, then the accounts in order of id, so nobody waits in a circle.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, insert, select, update

from judge.actions.audit import add_audit
from judge.actions.queued_judgement import queued_judgement
from judge.actions.rejudge_apply import check_actor, check_open, close, decide
from judge.actions.submit import offered_languages
from judge.db.engine import Database
from judge.db.queries.accounts import find_account
from judge.db.queries.problems import (
    Revision,
    count_cases,
    find_problem,
    lock_problem,
    select_revision,
)
from judge.db.queries.rejudges import (
    CANCELLED,
    PREVIEW,
    Target,
    find_open_rejudge,
    list_targets,
    lock_rejudge,
)
from judge.db.tables import job, judgement, rejudge, rejudge_item
from judge.db.types import new_id, now
from judge.domain.access import Caller
from judge.domain.rejudging import Selector
from judge.errors import Conflict, NotFound
from judge.queue.jobs import REJUDGE, REJUDGE_ITEM, enqueue


@dataclass(frozen=True)
class Started:
    """A rejudge that was begun; ``lanes`` are to be rung."""

    rejudge_id: str
    submissions: int
    lanes: tuple[str, ...]


def start_rejudge(
    database: Database,
    actor: Caller | None,
    slug: str,
    selector: Selector,
    handle: str | None = None,
) -> Started:
    """Judge a problem's submissions anew on its published revision, as a preview.

    ``handle`` selects one account's submissions; without an actor it is asked for on the judge's
    own machine.

    Raises:
        NotFound: there is no such problem or account, or nothing of the problem is published.
        Conflict: ``rejudge-open`` while another one of the problem is open; ``rejudge-empty`` if
            nothing is selected.
        Forbidden: the actor is no admin.
    """
    check_actor(actor)
    with database.write() as connection:
        found = find_problem(connection, slug)
        if found is None or found.revision_id is None:
            raise NotFound("problem-not-found", slug=slug)
        if handle is not None:
            selector = _of_account(connection, selector, handle)
        owner = lock_problem(connection, found.id)
        target = select_revision(connection, str(owner.revision_id))
        started = start_within(connection, actor, target, selector, manual=True)
        if started is None:
            raise Conflict("rejudge-empty", problem=slug)
        return started


def start_within(
    connection: Connection,
    actor: Caller | None,
    target: Revision,
    selector: Selector,
    *,
    manual: bool = False,
    allow_decrease: bool = False,
) -> Started | None:
    """Begin a rejudge inside the caller's transaction; None if nothing is selected.

    Unless it is ``manual`` it applies itself once everything is judged.

    Raises:
        Conflict: ``rejudge-open``.
    """
    if find_open_rejudge(connection, target.problem_id) is not None:
        raise Conflict("rejudge-open")
    languages = offered_languages(target)
    targets = list_targets(connection, target.problem_id, selector, languages)
    if not targets:
        return None
    rejudge_id = new_id()
    connection.execute(
        insert(rejudge).values(
            id=rejudge_id,
            problem_id=target.problem_id,
            revision_id=target.id,
            selector=selector.to_json(),
            applies_itself=not manual,
            allow_decrease=allow_decrease,
            state=PREVIEW,
            actor_id=None if actor is None else actor.account_id,
            created_at=now(),
        )
    )
    _insert_items(connection, rejudge_id, target, targets, actor)
    after = {"revision": target.number, "submissions": len(targets), **selector.to_json()}
    add_audit(connection, actor, "rejudge.start", f"rejudge:{rejudge_id}", {}, after)
    lanes = tuple(dict.fromkeys(one.language for one in targets))
    return Started(rejudge_id, len(targets), lanes)


def cancel_rejudge(database: Database, actor: Caller | None, rejudge_id: str) -> None:
    """Leave everything as it was; what waits is not judged any more.

    Raises:
        NotFound: there is no such rejudge.
        Conflict: ``rejudge-closed``.
        Forbidden: the actor is no admin.
    """
    check_actor(actor)
    with database.write() as connection:
        found = lock_rejudge(connection, rejudge_id)
        check_open(found)
        mine = select(rejudge_item.c.judgement_id).where(rejudge_item.c.rejudge_id == rejudge_id)
        connection.execute(
            update(judgement)
            .where(judgement.c.id.in_(mine), judgement.c.state != "judged")
            .values(state="cancelled", finished_at=now())
        )
        # A claimed job is left to its worker: it finds the judgement cancelled and writes nothing.
        connection.execute(
            update(job)
            .where(job.c.kind == REJUDGE_ITEM, job.c.ref_id.in_(mine), job.c.state == "queued")
            .values(state="done", finished_at=now())
        )
        decide(connection, rejudge_id, {})
        close(connection, found, CANCELLED, {}, allow_decrease=False)
        add_audit(connection, actor, "rejudge.cancel", f"rejudge:{rejudge_id}", {}, {})


def _of_account(connection: Connection, selector: Selector, handle: str) -> Selector:
    account = find_account(connection, handle)
    if account is None:
        raise NotFound("handle-not-found", handle=handle)
    return replace(selector, account_id=account.id)


def _insert_items(
    connection: Connection,
    rejudge_id: str,
    target: Revision,
    targets: Sequence[Target],
    actor: Caller | None,
) -> None:
    planned = count_cases(connection, target.id)
    rows = [
        queued_judgement(one.submission_id, target.id, planned, one.next_seq, "rejudge")
        for one in targets
    ]
    connection.execute(insert(judgement), rows)
    connection.execute(
        insert(rejudge_item),
        [{"rejudge_id": rejudge_id, "judgement_id": row["id"], "decision": "open"} for row in rows],
    )
    for one, row in zip(targets, rows, strict=True):
        # On the account of who asked: learners are not served later for being judged anew.
        enqueue(
            connection,
            kind=REJUDGE_ITEM,
            ref_id=str(row["id"]),
            account_id=None if actor is None else actor.account_id,
            lane=one.language,
            priority=REJUDGE,
        )
