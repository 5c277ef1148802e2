"""GET /scores of a class of 200 learners and 50 problems, with few and with very many submissions.

Starts PostgreSQL from the wheel's binaries (as the tests do), fills one database with ten thousand
submissions and one with a million, starts ``judge serve`` on each, and asks both by turns over
loopback for all 10,000 rows. Prints the medians, their ratio, and how the database finds the rows
(``--plan``).
"""

import argparse
import http.client
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

_ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(_ROOT), str(_ROOT / "tests")]

from postgres_server import TEMPLATE, PostgresServer  # noqa: E402 - found by the line above
from seed import LEARNERS, PROBLEMS, Seed, class_id, database_name, fill  # noqa: E402

from judge.actions.accounts import NewAccount, create_account  # noqa: E402
from judge.actions.tokens import create_token_for_handle  # noqa: E402
from judge.db import migrate  # noqa: E402
from judge.db.engine import Database  # noqa: E402
from judge.domain.access import Role  # noqa: E402

SMALL = Seed(per_pair=1)
LARGE = Seed(per_pair=20, others=4000, per_other_pair=4)
FORMS = ("application/json", "application/x-ndjson", "text/csv")
# The first answers warm both servers up.
WARM_UP = 3
_PLAN = """
EXPLAIN (ANALYZE, BUFFERS)
SELECT best_score.*, revision.number FROM best_score
LEFT JOIN revision ON revision.id = best_score.revision_id
WHERE best_score.account_id = ANY(%(accounts)s)
"""


class Served:
    """A running server on one of the databases, and a kept connection to it."""

    def __init__(self, url: str, path: str, token: str) -> None:
        self._address = urlsplit(url).netloc
        self._path = path
        self._token = token
        self._connection = http.client.HTTPConnection(self._address)

    def time_ms(self, accept: str) -> tuple[float, bytes]:
        """How long one answer takes to its last byte, and the answer."""
        headers = {"Authorization": f"Bearer {self._token}", "Accept": accept}
        start = time.perf_counter()
        self._connection.request("GET", self._path, headers=headers)
        answer = self._connection.getresponse()
        body = answer.read()
        elapsed = (time.perf_counter() - start) * 1000
        if answer.status != http.client.OK:
            raise SystemExit(f"{answer.status}: {body[:500]!r}")
        return elapsed, body


@contextmanager
def serve(database_url: str) -> Iterator[str]:
    """``judge serve`` without workers; its address."""
    with tempfile.TemporaryDirectory() as data_dir:
        environment = {
            **os.environ,
            "JUDGE_DATA_DIR": data_dir,
            "JUDGE_DATABASE_URL": database_url,
            "PYTHONPATH": str(_ROOT),
        }
        command = [sys.executable, "-m", "judge", "serve", "--port", "0", "--workers", "0"]
        process = subprocess.Popen(  # noqa: S603 - our own program
            command, env=environment, stdout=subprocess.PIPE, text=True
        )
        try:
            assert process.stdout is not None  # noqa: S101
            found = (re.search(r"http://\S+", line) for line in process.stdout)
            yield next(one.group() for one in found if one)
        finally:
            process.terminate()
            process.wait()


def prepare(server: PostgresServer, seed: Seed) -> tuple[str, str]:
    """A filled database and an admin's token for it."""
    start = time.perf_counter()
    url = server.create(TEMPLATE, database_name())
    fill(url.replace("+psycopg", ""), seed)
    with Database(url) as database:
        create_account(database, NewAccount("bench", "correct horse battery"), Role.ADMIN)
        token = create_token_for_handle(database, "bench", "bench", None).secret
    print(f"{seed.submissions:,} submissions filled in {time.perf_counter() - start:.0f} s")
    return url, token


def print_plan(url: str) -> None:
    """How the one query that could grow with the number of submissions is carried out."""
    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        names = connection.execute("SELECT account_id FROM membership").fetchall()
        values = {"accounts": [row[0] for row in names]}
        for row in connection.execute(_PLAN, values):
            print(f"    {row[0]}")


def main() -> None:
    """Print the medians, their ratio and the plans."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=31)
    parser.add_argument("--plan", action="store_true", help="print how the rows are found")
    options = parser.parse_args()
    server = PostgresServer()
    with ExitStack() as stack:
        stack.callback(server.stop)
        server.start()
        server.create(name=TEMPLATE)
        migrate.upgrade(server.url(TEMPLATE))
        served = {}
        for seed in (SMALL, LARGE):
            url, token = prepare(server, seed)
            if options.plan:
                print_plan(url)
            path = f"/api/v1/scores?class=cls_{class_id(url.replace('+psycopg', ''))}"
            served[seed] = Served(stack.enter_context(serve(url)), path, token)
        rows = json.loads(served[LARGE].time_ms(FORMS[0])[1])["items"]
        if len(rows) != LEARNERS * PROBLEMS:
            raise SystemExit(f"{len(rows)} rows came")
        for accept in FORMS:
            times: dict[Seed, list[float]] = {SMALL: [], LARGE: []}
            for run in range(options.runs + WARM_UP):
                for seed, one in served.items():
                    elapsed, _ = one.time_ms(accept)
                    if run >= WARM_UP:
                        times[seed].append(elapsed)
            small, large = (statistics.median(times[seed]) for seed in (SMALL, LARGE))
            print(
                f"{accept}: {len(rows):,} rows, {small:.0f} ms of {SMALL.submissions:,} "
                f"submissions, {large:.0f} ms (fastest {min(times[LARGE]):.0f}, slowest "
                f"{max(times[LARGE]):.0f}) of {LARGE.submissions:,}, ratio {large / small:.2f}"
            )


if __name__ == "__main__":
    main()
