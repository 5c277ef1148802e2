"""A judge that serves, judges and answers for real, for the walks through its API."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2
from served import environment, read_log, serving

from judge.actions.publish import publish
from judge.db.engine import Database
from judge.packages.builtin import builtin_folder
from judge.packages.files import PackageFiles, read_folder
from judge.packages.package import Package, load
from judge.packages.proof import Proof

PATIENCE_S = 60
PASSWORD = "correct horse battery"  # noqa: S105 - of accounts that a test makes


@dataclass(frozen=True)
class Judge:
    """A served judge, its database, and where its command line finds its data."""

    url: str
    database_url: str
    folder: Path
    opened: ExitStack

    def client(self, token: str = "") -> httpx2.Client:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        client = httpx2.Client(base_url=self.url, headers=headers, timeout=PATIENCE_S)
        return self.opened.enter_context(client)

    def browser(self) -> httpx2.Client:
        """As a page of the judge's own sends requests."""
        browser = self.client()
        browser.headers["Origin"] = self.url
        return browser

    def run(self, *words: str, stdin: str = "") -> str:
        """What a command of the command line prints."""
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-m", "judge", *words],
            env=environment(self.folder, JUDGE_DATABASE_URL=self.database_url),
            input=stdin,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=True,
        )
        return done.stdout

    def log(self) -> str:
        """Everything that server, worker and verifier have printed."""
        return read_log(self.folder)

    def publish(self, package: Package, scores: str = "") -> str:
        """Publish a package as if it had been proved; the revision's id in the API."""
        proof = Proof(package.content_hash, "test", 1, 1, len(package.problem.cases))
        with Database(self.database_url) as database:
            return f"rev_{publish(database, package, proof, scores).revision_id}"

    def register(self, handle: str) -> httpx2.Client:
        """A browser that has just registered."""
        browser = self.browser()
        body = {"handle": handle, "password": PASSWORD}
        answer = browser.post("/api/v1/auth/register", json=body)
        assert answer.status_code == 201, answer.text
        return browser

    def staff(self, handle: str, role: str) -> httpx2.Client:
        """A browser of a teacher or an admin, signed in."""
        words = ("accounts", "create", handle, "--role", role, "--password-stdin")
        self.run(*words, stdin=PASSWORD)
        browser = self.browser()
        body = {"handle": handle, "password": PASSWORD}
        assert browser.post("/api/v1/auth/login", json=body).status_code == 200
        return browser


@contextmanager
def walked(folder: Path, database_url: str, **more: str) -> Iterator[Judge]:
    """A judge on a database; its clients are closed before it is."""
    with ExitStack() as opened:
        url = opened.enter_context(serving(folder, JUDGE_DATABASE_URL=database_url, **more))
        yield Judge(url, database_url, folder, opened)


def other_words(slug: str) -> Package:
    """Another text of a built-in problem, with the same tests."""
    files = {**read_folder(builtin_folder() / slug)}
    path = "statement/problem.en.md"
    files[path] = files[path] + b"\nGood luck.\n"
    return load(PackageFiles(files), slug)


def make_token(browser: httpx2.Client, *scopes: str) -> str:
    """A new token's secret."""
    answer = browser.post("/api/v1/me/tokens", json={"name": "walk", "scopes": list(scopes)})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["token"])
