"""What is left of an erased account's submissions: digests, dates, verdicts and scores.

Each step blanks some submissions in one transaction: whatever still waits to be judged is ended
first, so that no worker can write an output afterwards; then every text that the learner wrote or
that came out of a box goes, and the source. A step that is cut off is done again by the next round.
"""

from datetime import timedelta

from sqlalchemy import Connection, select, update

from judge.actions.erase_account import erased_handle, forget
from judge.actions.rejudge_apply import apply_if_done
from judge.db.engine import Database
from judge.db.queries.erasures import list_rejudges_of, list_unfinished, list_with_source
from judge.db.queries.rejudges import lock_rejudge
from judge.db.tables import account, job, judgement, rejudge, submission, test_result
from judge.db.types import now
from judge.domain.verdicts import Verdict
from judge.queue.jobs import REJUDGE_ITEM, SUBMISSION

BATCH = 100
# A request that began before the erasure has ended by then.
SETTLED_AFTER = timedelta(minutes=10)


def blank_erased(database: Database, accounts: int = 20, steps: int = 20) -> int:
    """Blank what is left of erased accounts, at most so many steps; how many submissions."""
    with database.read() as connection:
        unfinished = list_unfinished(connection, accounts)
    blanked = 0
    for account_id, erased_at in unfinished:
        while steps > 0:
            steps -= 1
            done = _blank_some(database, account_id)
            blanked += done
            if done < BATCH:
                break
        else:
            break
        if now() - erased_at > SETTLED_AFTER:
            _close(database, account_id)
    return blanked


def _blank_some(database: Database, account_id: str) -> int:
    with database.write() as connection:
        ids = list_with_source(connection, account_id, BATCH)
        # Locked before anything else, as whoever records a judgement does it.
        rejudge_ids = list_rejudges_of(connection, ids)
        for rejudge_id in rejudge_ids:
            lock_rejudge(connection, rejudge_id)
        forget(connection, account_id)
        _end_judging(connection, ids)
        _blank(connection, ids)
        for rejudge_id in rejudge_ids:
            apply_if_done(connection, rejudge_id)
            _take_name(connection, rejudge_id, account_id)
    return len(ids)


def _end_judging(connection: Connection, submission_ids: tuple[str, ...]) -> None:
    judgements = select(judgement.c.id).where(judgement.c.submission_id.in_(submission_ids))
    connection.execute(
        update(job)
        .where(
            job.c.kind.in_((SUBMISSION, REJUDGE_ITEM)),
            job.c.ref_id.in_(judgements),
            job.c.state.in_(("queued", "claimed")),
        )
        .values(state="done", claimed_by=None, lease_until=None, finished_at=now())
    )
    connection.execute(
        update(judgement)
        .where(
            judgement.c.submission_id.in_(submission_ids),
            judgement.c.state.not_in(("judged", "cancelled")),
        )
        .values(state="cancelled", finished_at=now())
    )


def _blank(connection: Connection, submission_ids: tuple[str, ...]) -> None:
    theirs = judgement.c.submission_id.in_(submission_ids)
    connection.execute(
        update(test_result)
        .where(test_result.c.judgement_id.in_(select(judgement.c.id).where(theirs)))
        .values(message="", error_class="", got_blob=None, stdout_head="", stderr_head="", note="")
    )
    connection.execute(update(judgement).where(theirs).values(compile_log=""))
    # What is kept of a fault may quote the program.
    connection.execute(
        update(judgement)
        .where(theirs, judgement.c.verdict == Verdict.INTERNAL_ERROR.value)
        .values(toolchain={})
    )
    connection.execute(
        update(submission)
        .where(submission.c.id.in_(submission_ids), submission.c.source.is_not(None))
        .values(source=None, erased_at=now())
    )


def _take_name(connection: Connection, rejudge_id: str, account_id: str) -> None:
    """A closed rejudge has kept its accounts' handles."""
    mine = rejudge.c.id == rejudge_id
    summary = connection.scalar(select(rejudge.c.summary).where(mine)) or {}
    accounts = summary.get("accounts", [])
    if all(one["account_id"] != account_id for one in accounts):
        return
    kept = [
        {**one, "handle": erased_handle(account_id)} if one["account_id"] == account_id else one
        for one in accounts
    ]
    connection.execute(update(rejudge).where(mine).values(summary={**summary, "accounts": kept}))


def _close(database: Database, account_id: str) -> None:
    """Nothing is left, and nothing can come any more."""
    with database.write() as connection:
        if list_with_source(connection, account_id, 1):
            return
        connection.execute(
            update(account).where(account.c.id == account_id).values(erase_after=None)
        )
