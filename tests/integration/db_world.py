"""A published problem and accounts for the tests of the database and the actions."""

from collections.abc import Mapping

from package_builder import load_package
from queue_rows import add_account

from judge.actions.publish import Published, publish
from judge.actions.submit import NewSubmission, Submitted, submit
from judge.db.engine import Database
from judge.domain.access import Caller, Role
from judge.domain.scoring import Score
from judge.domain.submission import CaseResult, CompileResult, Judgement
from judge.domain.verdicts import Reason, Verdict
from judge.packages.package import Package
from judge.packages.proof import Proof
from judge.queue.jobs import Claim, claim

SLUG = "count_large"


def proof_of(package: Package) -> Proof:
    return Proof(package.content_hash, "test", 1, 1, len(package.problem.cases))


def publish_builder(
    database: Database, changes: Mapping[str, str | bytes | None] | None = None, scores: str = ""
) -> Published:
    """Publish the builder's package with changes."""
    package = load_package(changes)
    return publish(database, package, proof_of(package), scores)


def learner(database: Database, handle: str = "learner") -> Caller:
    return Caller(add_account(database, handle), handle, Role.LEARNER)


def hand_in(database: Database, caller: Caller, source: str = "x = 1\n") -> Submitted:
    return submit(database, caller, NewSubmission(SLUG, "python", source))


def take(database: Database, lease_s: float = 60) -> Claim:
    held = claim(database, ["python"], "test-worker", lease_s)
    assert held is not None
    return held


def judgement(earned: int, full: int = 100, verdict: Verdict | None = None) -> Judgement:
    """A judgement of the builder's four cases with some score."""
    accepted = earned == full
    verdict = verdict or (Verdict.ACCEPTED if accepted else Verdict.WRONG_ANSWER)
    paths = ("sample/01", "secret/10-basic/01", "secret/10-basic/02", "secret/20-edges/01")
    last = Verdict.ACCEPTED if accepted else Verdict.WRONG_ANSWER
    cases = tuple(
        CaseResult(path, Verdict.ACCEPTED if path != paths[-1] else last, cpu_ms=index)
        for index, path in enumerate(paths)
    )
    reason = Reason.NONE if accepted else Reason.WRONG_VALUE
    return Judgement(verdict, reason, Score(earned, full), CompileResult(True), cases)
