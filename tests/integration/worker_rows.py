"""A published problem, accounts and submissions for the tests of the worker."""

import select
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from package_builder import load_package
from queue_rows import add_account
from sqlalchemy import select as query
from sqlalchemy import update

from judge.actions.publish import publish
from judge.actions.submit import NewSubmission, Submitted, submit
from judge.db.engine import Database
from judge.db.tables import best_score, event, job, judgement, test_result
from judge.domain.access import Caller, Role
from judge.packages.proof import Proof
from judge.queue.wakeup import Bell, drain

SLUG = "count_large"
# How long a test waits for what must happen; reached only by a test that fails.
PATIENCE_S = 60.0


class Court:
    """A judge with one problem and one learner, seen from its database."""

    def __init__(self, database: Database, folder: Path) -> None:
        self.database = database
        self.bell = Bell(folder / "bell")
        package = load_package()
        proof = Proof(package.content_hash, "test", 1, 1, len(package.problem.cases))
        publish(database, package, proof)
        self.learner = Caller(add_account(database, "learner"), "learner", Role.LEARNER)

    def submit(self, source: str) -> Submitted:
        """Submit without ringing."""
        return submit(self.database, self.learner, NewSubmission(SLUG, "python", source))

    def judgement(self, submitted: Submitted) -> dict[str, object]:
        return self._rows(judgement, judgement.c.id == submitted.judgement_id)[0]

    def job(self, submitted: Submitted) -> dict[str, object]:
        return self._rows(job, job.c.ref_id == submitted.judgement_id)[0]

    def results(self, submitted: Submitted) -> list[dict[str, object]]:
        return self._rows(test_result, test_result.c.judgement_id == submitted.judgement_id)

    def events(self, submitted: Submitted) -> list[object]:
        return [
            row["kind"]
            for row in self._rows(event, event.c.submission_id == submitted.submission_id)
        ]

    def best_scores(self) -> list[dict[str, object]]:
        """The rows that hold a score."""
        return self._rows(best_score, best_score.c.judgement_id.is_not(None))

    def set_losses(self, submitted: Submitted, losses: int) -> None:
        with self.database.write() as connection:
            connection.execute(
                update(job).where(job.c.ref_id == submitted.judgement_id).values(losses=losses)
            )

    def _rows(self, table, which) -> list[dict[str, object]]:
        with self.database.read() as connection:
            found = connection.execute(query(table).where(which))
            return [dict(row._mapping) for row in found]

    @contextmanager
    def listening(self) -> Iterator["Ear"]:
        listener = self.bell.open()
        try:
            yield Ear(listener)
        finally:
            self.bell.close(listener)


class Ear:
    """Waits for what other processes say, and for what the database shows."""

    def __init__(self, listener) -> None:
        self._listener = listener
        self._heard: list[str] = []
        self._poller = select.poll()
        self._poller.register(listener, select.POLLIN)

    def heard(self) -> list[str]:
        self._heard += drain(self._listener)
        return self._heard

    def wait_for_message(self, beginning: str) -> str:
        """The first message with this beginning that nobody waited for yet."""

        def found() -> list[str]:
            return [text for text in self.heard() if text.startswith(beginning)]

        self.wait_until(lambda: bool(found()))
        message = found()[0]
        self._heard.remove(message)
        return message

    def wait_until(self, condition: Callable[[], bool]) -> None:
        """Check at every message, and now and then in between."""
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < deadline, f"waited in vain; heard {self._heard}"
            self._poller.poll(100)
            self._heard += drain(self._listener)
