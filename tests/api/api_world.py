"""A judge as its clients meet it, with the worker replaced by judgements that tests write.

The problem ``count_large`` hides canaries: values that no learner may ever read.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from package_builder import case_texts, load_package
from queue_rows import add_account
from sqlalchemy import insert, update
from starlette.testclient import TestClient

from judge.actions.publish import Published, publish
from judge.actions.record import record, record_fault
from judge.actions.sessions import Origin, open_session
from judge.actions.tokens import create_token_for_handle
from judge.api.rates import CHANGE, READ, RUN, SIGN_IN, SUBMIT, Policy, Rates
from judge.db.engine import Database
from judge.db.queries.judging import select_work
from judge.db.tables import account, worker
from judge.db.types import new_id, now
from judge.domain.scoring import Score
from judge.domain.submission import CaseResult, CompileResult, Judgement
from judge.domain.verdicts import Reason, Verdict, fold
from judge.packages.content import Content, read_content
from judge.packages.intake.examine import Examined, examine
from judge.packages.package import Package
from judge.packages.proof import Proof
from judge.queue.jobs import claim
from judge.server import create_app
from judge.settings import Settings

SLUG = "count_large"
HIDDEN_VALUE = 918273.5
HIDDEN_LIMIT = 564738.25
HIDDEN_ANSWER = 31337042
SOURCE = "def count_large(values, limit):\n    return 2\n"
GROUPS = {"secret/10-basic": 40, "secret/20-edges": 60}

# Texts that stand only in hidden data: no answer to a learner may hold one.
HIDDEN_CANARIES = (str(HIDDEN_VALUE), str(HIDDEN_LIMIT), str(HIDDEN_ANSWER))
# Texts that came out of the box for a hidden case.
BOX_CANARIES = (
    "canary-message",
    "canary-stdout",
    "canary-stderr",
    "canary-note",
    "CanaryError",
    "27182818",
    "1414213",
)
LOCKED_CANARIES = ("canary-solution", "canary-hint-one", "canary-hint-two")


def canary_package(changes: Mapping[str, str | bytes | None] | None = None) -> Package:
    """The builder's package with canaries in hidden cases, hints and solution."""
    texts: dict[str, str | bytes | None] = dict(
        case_texts("secret/20-edges/01", [HIDDEN_VALUE], HIDDEN_LIMIT, HIDDEN_ANSWER)
    )
    for locale in ("vi", "ja", "en"):
        texts[f"solution/solution.{locale}.md"] = f"canary-solution $n$ ({locale})\n"
        texts[f"hints/1.{locale}.md"] = f"canary-hint-one ({locale})\n"
        texts[f"hints/2.{locale}.md"] = f"canary-hint-two ({locale})\n"
    return load_package({**texts, **(changes or {})})


def proof_of(package: Package) -> Proof:
    return Proof(package.content_hash, "test", 1, 1, len(package.problem.cases))


def publish_package(database: Database, package: Package, scores: str = "") -> Published:
    return publish(database, package, proof_of(package), scores)


def set_role(database: Database, account_id: str, role: str) -> None:
    with database.write() as connection:
        connection.execute(update(account).where(account.c.id == account_id).values(role=role))


VERSIONS = {
    "python": {"python": "3.11.2"},
    "cpp": {"g++": "12.2.0"},
    "java": {"java": "17.0.18"},
}
FIXES = {
    "cpp": "apt-get install g++",
    "java": "apt-get install default-jdk-headless",
}


LAYERS = {"A": ["userns", "mount namespace", "seccomp"], "B": ["landlock", "seccomp"], "": []}
# What a grader says that it judged with.
RUNNER = {"tier": "A", "layers": ",".join(LAYERS["A"]), "python": "3.11.2"}
TIER_FIX = "sysctl kernel.unprivileged_userns_clone=1"


def add_worker(
    database: Database,
    self_test: str = "passed",
    *,
    languages: tuple[str, ...] = ("python",),
    missing: tuple[str, ...] = (),
    tier: str = "A",
    is_draining: bool = False,
) -> str:
    """The row of a live worker."""
    worker_id, moment = new_id(), now()
    with database.write() as connection:
        connection.execute(
            insert(worker).values(
                id=worker_id,
                host="here",
                process_id=1,
                languages={language: VERSIONS[language] for language in languages},
                missing={language: FIXES[language] for language in missing},
                tier=tier,
                layers=LAYERS[tier],
                fix=TIER_FIX if tier == "B" else "",
                self_test=self_test,
                self_test_report={},
                started_at=moment,
                heartbeat_at=moment,
                draining_at=moment if is_draining else None,
            )
        )
    return worker_id


def judgement_of(package: Package, failing: Mapping[str, CaseResult] | None = None) -> Judgement:
    """Every case accepted but those in ``failing``, scored by groups."""
    cases = tuple(
        (failing or {}).get(case.id, CaseResult(case.id, Verdict.ACCEPTED, cpu_ms=3, memory_kb=64))
        for case in package.problem.cases
    )
    failed = {case.id.rsplit("/", 1)[0] for case in cases if case.verdict is not Verdict.ACCEPTED}
    earned = sum(points for group, points in GROUPS.items() if group not in failed)
    first = next((case for case in cases if case.verdict is not Verdict.ACCEPTED), None)
    return Judgement(
        verdict=fold(len(cases), [case.verdict for case in cases]),
        reason=Reason.NONE if first is None else first.reason,
        score=Score(earned, 100),
        compile=CompileResult(ok=True),
        cases=cases,
        runner=dict(RUNNER),
    )


def hidden_failure(verdict: Verdict = Verdict.RUNTIME_ERROR, **changes: Any) -> CaseResult:
    """The hidden case failed, and its box said as much as it could."""
    values: dict[str, Any] = {
        "reason": Reason.EXCEPTION,
        "message": f"canary-message {HIDDEN_VALUE}",
        "error_class": "CanaryError",
        "error_line": 1414213,
        "cpu_ms": 7,
        "wall_ms": 1414213,
        "memory_kb": 4096,
        "returned": 27182818,
        "has_returned": True,
        "stdout": "canary-stdout",
        "stderr": "canary-stderr",
        "note": "canary-note",
    }
    return CaseResult("secret/20-edges/01", verdict, **{**values, **changes})


class ReadsHere:
    """Reads uploads in the tests' process, which takes no time to start: judge.api.intake's face.

    What the real one adds is in test_api_intake.py.
    """

    def examine(self, archive: bytes, known: Collection[str]) -> Examined:
        return examine(archive, known)

    def content(self, archive: bytes) -> Content:
        return read_content(archive)


class World:
    """The served judge, its database, and a client for each role."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.app = create_app(settings)
        # What is no test of rates never meets one.
        rates = Rates(Policy(name, 10**9) for name in (READ, SUBMIT, RUN, CHANGE, SIGN_IN))
        self.app.state.parts = replace(self.app.state.parts, intake=ReadsHere(), rates=rates)
        self.database: Database = self.app.state.parts.database
        self.package = canary_package()
        self.published = publish_package(self.database, self.package)
        self.accounts: dict[str, str] = {}
        for handle, role in (
            ("learner", "learner"),
            ("other", "learner"),
            ("teacher", "teacher"),
            ("admin", "admin"),
        ):
            self.accounts[handle] = add_account(self.database, handle)
            set_role(self.database, self.accounts[handle], role)
        # No redirects, and failures of the judge as the client would see them.
        self._client = TestClient(self.app, raise_server_exceptions=False, follow_redirects=False)

    def __enter__(self) -> "World":
        self._client.__enter__()
        return self

    def __exit__(self, *reason: object) -> None:
        self._client.__exit__(*reason)

    def anonymous(self) -> TestClient:
        """The client without any credentials."""
        self._client.headers.pop("Authorization", None)
        self._client.cookies.clear()
        return self._client

    def client(self, handle: str, *scopes: str) -> TestClient:
        """The client with a fresh token of an account; all scopes unless some are named."""
        client = self.anonymous()
        client.headers["Authorization"] = f"Bearer {self.token(handle, *scopes)}"
        return client

    def browser(self, handle: str) -> TestClient:
        """A browser of its own, in which an account is signed in without its password."""
        with self.database.write() as connection:
            cookie = open_session(connection, self.accounts[handle], Origin("192.0.2.0/24", "B"))
        client = TestClient(self.app, raise_server_exceptions=False, follow_redirects=False)
        client.cookies.set("judge_session", cookie, domain="testserver.local", path="/")
        client.headers["Origin"] = "http://testserver"
        return client

    def token(self, handle: str, *scopes: str) -> str:
        return create_token_for_handle(self.database, handle, "test", scopes).secret

    def submit(self, handle: str = "learner", source: str = SOURCE, **body: Any) -> dict[str, Any]:
        """Submit as somebody and return the answer."""
        answer = self.client(handle).post(
            f"/api/v1/problems/{SLUG}/submissions",
            json={"language": "python", "source": source, **body},
        )
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    def judge_next(self, result: Judgement | None = None) -> str:
        """Claim the next job as a worker would, and record a judgement; the submission's id."""
        held = claim(self.database, ["python"], "test-worker", 30)
        assert held is not None, "no job is queued"
        with self.database.read() as connection:
            work = select_work(connection, held.ref_id)
        if result is None:
            assert record_fault(self.database, held, "the test broke it")
        else:
            assert record(self.database, held, result)
        return f"sub_{work.submission_id}"

    def submit_and_judge(self, result: Judgement | None, handle: str = "learner") -> str:
        """Submit and record a judgement (None: the judge's own fault); the submission's id."""
        self.submit(handle)
        return self.judge_next(result)
