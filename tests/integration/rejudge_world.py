"""Submissions that are judged and judged anew, and what the database says about them."""

from collections.abc import Mapping, Sequence

from db_world import SLUG, hand_in, judgement, learner, publish_builder, take
from package_builder import case_texts
from sqlalchemy import Table, select

from judge.actions.record import record, record_fault
from judge.actions.rejudge import Started, start_rejudge
from judge.db.engine import Database
from judge.db.queries.judging import select_work
from judge.db.queries.scores import find_best_score
from judge.db.tables import account
from judge.db.tables import judgement as judgement_table
from judge.domain.access import Caller, Role
from judge.domain.rejudging import Selector

NEW_TESTS = case_texts("secret/10-basic/02", [9.0], 1.0, 1)
NEWER_TESTS = case_texts("secret/10-basic/02", [9.0, 8.0], 1.0, 2)


class Room:
    """A published problem with learners, whose submissions come to what the test says."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.problem_id = publish_builder(database).problem_id
        self.learners: dict[str, Caller] = {}

    def admin(self, handle: str = "admin", role: Role = Role.ADMIN) -> Caller:
        return Caller(learner(self.database, handle).account_id, handle, role)

    def learner(self, handle: str) -> Caller:
        if handle not in self.learners:
            self.learners[handle] = learner(self.database, handle)
        return self.learners[handle]

    def submit(self, handle: str, earned: int | None) -> str:
        """A judged submission; None is the judge's own fault. Its id."""
        submitted = hand_in(self.database, self.learner(handle))
        self.judge_next(earned)
        return submitted.submission_id

    def judge_next(self, earned: int | None) -> str:
        """Claim whatever is next and record it; the submission's id."""
        held = take(self.database)
        with self.database.read() as connection:
            work = select_work(connection, held.ref_id)
        if earned is None:
            assert record_fault(self.database, held, "the test broke it")
        else:
            assert record(self.database, held, judgement(earned))
        return work.submission_id

    def judge_anew(self, scores: Sequence[int | None]) -> None:
        """Judge what waits, in order of submission."""
        for earned in scores:
            self.judge_next(earned)

    def start(self, actor: Caller | None = None, **selector: object) -> Started:
        handle = selector.pop("handle", None)
        return start_rejudge(self.database, actor, SLUG, Selector(**selector), handle)

    def scores(self) -> Mapping[str, int | None]:
        """The best score of each learner by handle."""
        with self.database.read() as connection:
            best = {
                handle: find_best_score(connection, one.account_id, self.problem_id)
                for handle, one in self.learners.items()
            }
        return {handle: None if one is None else one.score.earned for handle, one in best.items()}

    def current(self) -> list[tuple[int, str, int | None]]:
        """seq, cause and score of every current judgement, in order of submission."""
        return [
            (row["seq"], row["cause"], row["score_num"])
            for row in sorted(self.rows(judgement_table), key=lambda row: row["submission_id"])
            if row["is_current"]
        ]

    def rows(self, table: Table) -> list[dict[str, object]]:
        with self.database.read() as connection:
            return [dict(row._mapping) for row in connection.execute(select(table))]

    def handles(self, account_ids: Sequence[object]) -> set[str]:
        with self.database.read() as connection:
            rows = connection.execute(select(account.c.id, account.c.handle))
            return {row.handle for row in rows if row.id in account_ids}
