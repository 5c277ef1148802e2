"""Handing in over REST, and what the answers say."""

import json
from datetime import timedelta

import pytest
from api_world import (
    RUNNER,
    SLUG,
    SOURCE,
    World,
    canary_package,
    judgement_of,
    publish_package,
)
from package_builder import case_texts

from judge.actions import submit as submitting
from judge.actions.submit import NewSubmission, submit
from judge.db.types import now
from judge.domain.access import Caller, Role
from judge.domain.submission import CaseResult
from judge.domain.verdicts import Reason, Verdict

PATH = f"/api/v1/problems/{SLUG}/submissions"


def body(**changes: object) -> dict[str, object]:
    return {"language": "python", "source": SOURCE, **changes}


def test_a_submission_is_stored_and_queued(world: World) -> None:
    answer = world.client("learner").post(PATH, json=body())
    assert answer.status_code == 201
    stored = answer.json()
    assert answer.headers["location"] == f"/api/v1/submissions/{stored['id']}"
    assert stored["state"] == "queued"
    assert stored["queue_position"] == 1
    assert (stored["verdict"], stored["score"], stored["compile"]) == (None, None, None)
    assert stored["tests"] == {"passed": 0, "total": 4}
    assert stored["unlocked"] == ["hints", "solution"]
    assert stored["revision"]["number"] == 1


def test_an_accepted_submission_has_the_full_score(world: World) -> None:
    identifier = world.submit_and_judge(judgement_of(world.package))
    answer = world.client("learner").get(f"/api/v1/submissions/{identifier}").json()
    assert answer["state"] == "judged"
    assert answer["verdict"] == "accepted"
    assert (answer["score"], answer["max_score"]) == (100.0, 100)
    assert answer["tests"] == {"passed": 4, "total": 4}
    assert [case["verdict"] for case in answer["cases"]] == ["accepted"] * 4
    assert answer["judgement"]["toolchain"] == RUNNER
    assert answer["queue_position"] is None
    assert (answer["cpu_ms"], answer["memory_kb"]) == (3, 64)


def test_tier_and_layers_of_a_judgement_are_shown_to_whoever_may_read_it(world: World) -> None:
    path = f"/api/v1/submissions/{world.submit_and_judge(judgement_of(world.package))}"
    for handle in ("learner", "admin"):
        assert world.client(handle).get(path).json()["judgement"]["toolchain"] == RUNNER
    for handle in ("other", "teacher"):
        assert "layers" not in world.client(handle).get(path).text


def test_a_group_scores_only_as_a_whole(world: World) -> None:
    failing = CaseResult("secret/10-basic/02", Verdict.WRONG_ANSWER, Reason.WRONG_VALUE)
    identifier = world.submit_and_judge(judgement_of(world.package, {failing.id: failing}))
    answer = world.client("learner").get(f"/api/v1/submissions/{identifier}").json()
    assert answer["verdict"] == "wrong_answer"
    assert answer["reason"] == "wrong_value"
    assert answer["score"] == 60.0
    assert answer["tests"] == {"passed": 3, "total": 4}


def test_the_judges_own_fault_costs_nothing(world: World) -> None:
    identifier = world.submit_and_judge(None)
    client = world.client("learner")
    answer = client.get(f"/api/v1/submissions/{identifier}").json()
    assert answer["verdict"] == "internal_error"
    assert answer["score"] is None
    assert answer["judgement"]["toolchain"] == {}
    row = client.get("/api/v1/scores").json()["items"][0]
    assert (row["score"], row["submissions"]) == (None, 0)


def test_the_source_comes_back_as_it_was_sent(world: World) -> None:
    source = "\ufeffdef count_large(values, limit):\r\n    return 'ü'\r\n"
    identifier = world.submit(source=source)["id"]
    answer = world.client("learner").get(f"/api/v1/submissions/{identifier}/source")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.content.decode() == source


@pytest.mark.parametrize(
    ("changes", "status", "code", "pointer"),
    [
        ({"source": "x" * 65537}, 413, "source-too-large", "/source"),
        ({"source": "é" * 32769}, 413, "source-too-large", "/source"),
        ({"source": "a\0b"}, 422, "invalid-source", "/source"),
        ({"source": "\ud800"}, 422, None, "/source"),
        ({"source": " \n\t"}, 422, "invalid-source", "/source"),
        ({"source": 7}, 422, "invalid-request", "/source"),
        ({"language": "rust"}, 422, "language-not-offered", "/language"),
        ({"language": "cpp"}, 422, "language-not-offered", "/language"),
        ({"sauce": "x"}, 422, "invalid-request", "/sauce"),
        ({"revision": "latest"}, 422, "invalid-request", "/revision"),
        ({"revision": "rev_" + "0" * 32}, 409, "revision-changed", None),
    ],
)
def test_what_is_refused_reaches_no_queue(
    world: World, changes: dict[str, object], status: int, code: str | None, pointer: str | None
) -> None:
    client = world.client("learner")
    # json= would refuse a lone surrogate itself; escaped it is valid JSON.
    answer = client.post(
        PATH, content=json.dumps(body(**changes)), headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert code in (None, problem["code"])
    if pointer is not None:
        assert [error["pointer"] for error in problem["errors"]] == [pointer]
    assert client.get("/api/v1/submissions").json()["items"] == []
    assert client.get(f"/api/v1/problems/{SLUG}").json()["locks"]["hints"] is True


def test_64_kib_are_not_too_large(world: World) -> None:
    assert len(world.submit(source="é" * 32768)["source_hash"]) == 64


def test_a_changed_problem_is_told_once(world: World) -> None:
    old = world.client("learner").get(f"/api/v1/problems/{SLUG}").json()["revision"]["id"]
    changed = canary_package(case_texts("secret/10-basic/02", [9.0], 1.0, 1))
    publish_package(world.database, changed, "keep")
    client = world.client("learner")
    refused = client.post(PATH, json=body(revision=old))
    assert (refused.status_code, refused.json()["code"]) == (409, "revision-changed")
    new = client.get(f"/api/v1/problems/{SLUG}").json()["revision"]
    assert refused.json()["revision"] == new["id"]
    assert new["number"] == 2
    accepted = client.post(PATH, json=body(revision=old, accept_new=True))
    assert accepted.json()["revision"] == new


def test_a_list_of_submissions_can_be_walked_while_it_grows(world: World) -> None:
    first = [world.submit()["id"] for _ in range(5)]
    client = world.client("learner")
    seen, path = [], "/api/v1/submissions?limit=2"
    while path:
        page = client.get(path).json()
        seen += [item["id"] for item in page["items"]]
        path = page["next"]
        if len(seen) == 2:
            world.submit()
    assert seen == first[::-1]


@pytest.mark.slow
def test_a_thousand_submissions_are_walked_while_new_ones_arrive(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Walk C15: none twice, none missing, also where a page ends among those of one moment."""
    caller = Caller(world.accounts["learner"], "learner", Role.LEARNER)
    start, made = now() - timedelta(hours=1), []
    for number in range(1_000):
        moment = start + timedelta(seconds=number // 10)
        monkeypatch.setattr(submitting, "now", lambda moment=moment: moment)
        stored = submit(world.database, caller, NewSubmission(SLUG, "python", SOURCE))
        made.append(f"sub_{stored.submission_id}")
    monkeypatch.undo()
    client = world.client("learner")
    seen, path = [], "/api/v1/submissions?limit=33"
    while path:
        page = client.get(path)
        seen += [item["id"] for item in page.json()["items"]]
        path = page.json()["next"]
        assert (f'<{path}>; rel="next"' in page.headers.get("link", "")) is bool(path)
        assert client.post(PATH, json=body()).status_code == 201
    assert sorted(seen) == sorted(made)


def test_admins_read_other_accounts_work(world: World) -> None:
    identifier = world.submit()["id"]
    admin = world.client("admin")
    everybody = admin.get("/api/v1/submissions?account=*").json()["items"]
    assert [item["id"] for item in everybody] == [identifier]
    assert admin.get("/api/v1/submissions?account=LEARNER").json()["items"] == everybody
    assert admin.get("/api/v1/submissions?account=nobody").status_code == 404
    assert admin.get("/api/v1/submissions").json()["items"] == []
    assert admin.get(f"/api/v1/submissions/{identifier}/source").text == SOURCE
