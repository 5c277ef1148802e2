"""A program's walk through the API, against a judge that serves, judges and answers for real.

The steps are numbered as in the list of acceptance: C1 to C10 and C13, C14. What hidden data is
shown to whom (C11) is tests/api/test_api_hidden_data.py's, pages over many rows (C15) are
tests/api/test_api_submissions.py's.
"""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from served import ROOT
from walk_judge import Judge, make_token, other_words, walked

# A judge, a worker and its sandbox for each kind of database.
pytestmark = pytest.mark.slow
SLUG = "sample_token"
EXAMPLES = ROOT / "problems" / SLUG / "submissions"
RIGHT = (EXAMPLES / "accepted" / "loops.py").read_text()
WRONG = "def sample_token(logits, temperature, k, random_value):\n    return 0\n"
SUBMISSIONS = f"/api/v1/problems/{SLUG}/submissions"
FINAL = ("judged", "cancelled")


@pytest.fixture
def judge(tmp_path: Path, database_url: str) -> Iterator[Judge]:
    with walked(tmp_path, database_url, JUDGE_SUBMITS_PER_MINUTE="200") as served:
        yield served


def result(submission: dict[str, Any]) -> tuple[Any, ...]:
    """What judging came to, without what differs from one submission to the next."""
    tests = submission["tests"]
    return (submission["verdict"], submission["score"], tests["passed"], tests["total"])


def read_events(client: httpx2.Client, path: str, last: str = "") -> list[tuple[str, str]]:
    """Id and kind of every event of a stream, to its end."""
    headers = {"Last-Event-ID": last} if last else {}
    found: list[tuple[str, str]] = []
    event: dict[str, str] = {}
    with client.stream("GET", path, headers=headers) as stream:
        if stream.status_code == 204:
            return []
        assert stream.status_code == 200
        assert stream.headers["content-type"].startswith("text/event-stream")
        for line in stream.iter_lines():
            field, _, value = line.partition(":")
            event[field] = value.strip()
            if not line and "event" in event:
                found.append((event["id"], event["event"]))
                event = {}
    return found


def test_a_program_finds_its_way(judge: Judge) -> None:  # noqa: PLR0915 - one walk
    anonymous = judge.client()
    # C1
    document = anonymous.get("/api/v1/openapi.json").json()
    assert document["openapi"].startswith("3.1")

    # C2
    listed = anonymous.get("/api/v1/problems", params={"limit": 1})
    assert (listed.status_code, 'rel="next"' in listed.headers["link"]) == (200, True)
    refused = anonymous.get("/api/v1/scores")
    assert refused.status_code == 401
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.json()["code"] == "not-signed-in"

    # C3
    browser = judge.register("ada")
    secret = make_token(browser, "problems:read", "submissions:write", "submissions:read")
    client = judge.client(secret)
    assert client.get("/api/v1/problems").status_code == 200
    (token,) = browser.get("/api/v1/me/tokens").json()["items"]
    assert token["prefix"] in secret
    assert token["last_used_at"] is not None
    assert "token" not in token

    # C4
    headers = {"Prefer": "wait=25", "Idempotency-Key": "first"}
    body = {"language": "python", "source": RIGHT}
    first = client.post(SUBMISSIONS, json=body, headers=headers)
    assert first.status_code == 201, first.text
    submission = first.json()
    assert first.headers["location"] == f"/api/v1/submissions/{submission['id']}"
    assert (submission["state"], submission["verdict"]) == ("judged", "accepted")
    assert submission["score"] == submission["max_score"] > 0
    assert submission["tests"]["passed"] == submission["tests"]["total"] >= 30

    # C5
    again = client.post(SUBMISSIONS, json=body, headers=headers)
    assert (again.status_code, again.json()["id"]) == (201, submission["id"])
    assert again.headers["idempotent-replayed"] == "true"
    other = client.post(SUBMISSIONS, json={**body, "source": WRONG}, headers=headers)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency-mismatch")
    assert len(client.get("/api/v1/submissions").json()["items"]) == 1

    # C6
    queued = client.post(SUBMISSIONS, json={"language": "python", "source": WRONG}).json()
    path = f"/api/v1/submissions/{queued['id']}"
    assert queued["state"] not in FINAL
    wrong = client.get(path, params={"wait": 25}).json()
    assert (wrong["state"], wrong["verdict"]) == ("judged", "wrong_answer")
    events = read_events(browser, f"{path}/events")
    kinds = [kind for _, kind in events]
    assert (kinds[0], kinds[-1]) == ("queued", "judged")
    assert [int(one) for one, _ in events] == sorted(int(one) for one, _ in events)
    assert read_events(browser, f"{path}/events", events[0][0]) == events[1:]
    assert read_events(browser, f"{path}/events", events[-1][0]) == []

    # C7
    items = [
        {"problem": SLUG, "language": "python", "source": (RIGHT, WRONG)[number % 2]}
        for number in range(20)
    ]
    batch = client.post("/api/v1/submissions:batch", json={"items": items}, params={"wait": 25})
    assert batch.status_code == 207, batch.text
    for number, item in enumerate(batch.json()["items"]):
        assert (item["index"], item["status"]) == (number, 201)
        assert result(item["submission"]) == result((submission, wrong)[number % 2])

    # C8
    stored = len(client.get("/api/v1/submissions", params={"limit": 200}).json()["items"])
    for path, bad, status, pointer in (
        (SUBMISSIONS, {**body, "sourse": ""}, 422, "/sourse"),
        (SUBMISSIONS, {**body, "language": "rust"}, 422, "/language"),
        (SUBMISSIONS, {**body, "source": "#" * 70_000}, 413, "/source"),
        (
            f"/api/v1/problems/{SLUG}/runs",
            {
                **body,
                "cases": [{"logits": [1.0], "temperature": 1.0, "k": "three", "random_value": 0.5}],
            },
            422,
            "/cases/0/k",
        ),
    ):
        answer = client.post(path, json=bad)
        assert answer.status_code == status, answer.text
        assert [one["pointer"] for one in answer.json()["errors"]] == [pointer]
    now = client.get("/api/v1/submissions", params={"limit": 200}).json()["items"]
    assert len(now) == stored == 22

    # C9
    missing = client.get("/api/v1/scores")
    assert (missing.status_code, missing.json()["code"]) == (403, "missing-scope")
    assert missing.json()["needed"] == ["scores:read"]
    bob = judge.register("bob")
    scores = judge.client(make_token(bob, "scores:read", "submissions:write"))
    before = judge.client(make_token(browser, "scores:read"))
    rows = before.get("/api/v1/scores").json()["items"]
    assert [(row["handle"], row["problem"], row["score"]) for row in rows] == [
        ("ada", SLUG, submission["score"])
    ]
    lines = before.get("/api/v1/scores", headers={"Accept": "application/x-ndjson"}).text
    table = before.get("/api/v1/scores", headers={"Accept": "text/csv"}).text
    assert [json.loads(line) for line in lines.splitlines()] == rows
    (cells,) = csv.DictReader(io.StringIO(table))
    assert {name: str(value) for name, value in rows[0].items() if isinstance(value, str)} == {
        name: cells[name] for name, value in rows[0].items() if isinstance(value, str)
    }
    since = {"changed_since": rows[0]["updated_at"]}
    assert before.get("/api/v1/scores", params=since).json()["items"] == []
    assert scores.get("/api/v1/scores").json()["items"] == []
    scores.post(SUBMISSIONS, json=body, params={"wait": 25})
    (mine,) = scores.get("/api/v1/scores", params=since).json()["items"]
    assert (mine["handle"], mine["score"]) == ("bob", submission["score"])

    # C14
    read = client.get(f"/api/v1/problems/{SLUG}").json()["revision"]["id"]
    changed = judge.publish(other_words(SLUG))
    stale = client.post(SUBMISSIONS, json={**body, "revision": read})
    assert (stale.status_code, stale.json()["code"]) == (409, "revision-changed")
    assert stale.json()["revision"] == changed
    sure = {**body, "revision": read, "accept_new": True}
    assert client.post(SUBMISSIONS, json=sure, params={"wait": 25}).status_code == 201

    # C13
    admin = judge.staff("boss", "admin")
    begun = admin.post("/api/v1/admin/rejudges", json={"problem": SLUG})
    assert begun.status_code == 201, begun.text
    rejudge = begun.headers["location"]
    while admin.get(rejudge).json()["pending"]:
        client.get(f"/api/v1/submissions/{submission['id']}", params={"wait": 1})
    assert admin.post(f"{rejudge}/apply", json={}).status_code == 200
    path = f"/api/v1/submissions/{submission['id']}"
    judgements = client.get(f"{path}/judgements").json()["items"]
    assert [one["seq"] for one in judgements] == [1, 2]
    assert client.get(path).json()["judgement"]["seq"] == 2
    earlier = client.get(path, params={"judgement": 1}).json()
    assert result(earlier) == result(submission)
    assert judge.run("scores", "check").splitlines()[-1] == "0 differences"

    # C10
    problem = f"/api/v1/problems/{SLUG}"
    got = client.get(problem)
    known = client.get(problem, headers={"If-None-Match": got.headers["etag"]})
    assert (known.status_code, known.content) == (304, b"")
    free = client.get(problem, headers={"If-None-Match": got.headers["etag"]})
    assert free.headers["ratelimit"].split(";")[1] == known.headers["ratelimit"].split(";")[1]
    while (burst := client.get(problem)).status_code == 200:
        pass
    assert (burst.status_code, burst.json()["code"]) == (429, "too-many-requests")
    assert 0 < int(burst.headers["retry-after"]) <= 60
