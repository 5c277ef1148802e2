"""Revisions over the API: publish again, retire, restore, download, and whose a problem is."""

from typing import Any

import pytest
from api_world import SLUG, World, canary_package, judgement_of, proof_of, publish_package, set_role
from package_builder import JUDGE_YAML, STATEMENTS, case_texts
from sqlalchemy import update

from judge.actions.publish import publish
from judge.db.tables import revision
from judge.domain.access import Caller, Role
from judge.packages.archives import read_archive
from judge.packages.package import load

STATE = f"/api/v1/admin/problems/{SLUG}"
PROBLEM = f"/api/v1/problems/{SLUG}"
NEW_TESTS = case_texts("secret/10-basic/02", [9.0], 1.0, 1)
NEW_TEXT = {"statement/problem.en.md": STATEMENTS["en"] + "\nGood luck.\n"}


def publishing(revision_id: str) -> str:
    return f"/api/v1/admin/revisions/rev_{revision_id}/publish"


def patch(world: World, who: str, body: dict[str, Any], etag: str | None = "read") -> Any:
    client = world.client(who)
    if etag == "read":
        etag = client.get(STATE).headers["etag"]
    return client.patch(STATE, json=body, headers={} if etag is None else {"If-Match": etag})


def own_problem(world: World, who: str, name: str = "my_problem") -> str:
    """A problem that a teacher made; the id of its revision."""
    changes = {"judge.yaml": JUDGE_YAML.replace("name: count_large", f"name: {name}")}
    package = canary_package(changes)
    author = Caller(world.accounts[who], who, Role.TEACHER)
    return publish(world.database, package, proof_of(package), publisher=author).revision_id


def test_a_retired_problem_is_gone_but_what_was_handed_in_stays(world: World) -> None:
    submission_id = world.submit_and_judge(judgement_of(world.package))
    answer = patch(world, "admin", {"state": "retired"})
    assert (answer.status_code, answer.json()["state"]) == (200, "retired")
    body = {"language": "python", "source": "x"}
    for who in ("anonymous", "learner", "other"):
        client = world.anonymous() if who == "anonymous" else world.client(who)
        gone = client.get(PROBLEM)
        assert (gone.status_code, gone.json()["code"]) == (410, "problem-retired")
        assert client.get("/api/v1/problems").json()["items"] == []
    learner = world.client("learner")
    assert learner.post(f"{PROBLEM}/submissions", json=body).status_code == 410
    assert learner.get(f"{PROBLEM}/solution").status_code == 410
    assert learner.get(f"/api/v1/submissions/{submission_id}").status_code == 200
    assert [row["score"] for row in learner.get("/api/v1/scores").json()["items"]] == [100.0]
    assert world.client("teacher").get(PROBLEM).status_code == 200
    assert patch(world, "admin", {"state": "published"}).json()["state"] == "published"
    assert world.client("learner").get(PROBLEM).status_code == 200


def test_points_change_what_is_shown_and_nothing_that_was_judged(world: World) -> None:
    submission_id = world.submit_and_judge(judgement_of(world.package))
    answer = patch(world, "admin", {"points": 50, "position": 7})
    assert (answer.json()["points"], answer.json()["position"]) == (50, 7)
    seen = world.client("learner").get(f"/api/v1/submissions/{submission_id}").json()
    assert (seen["score"], seen["max_score"], seen["judgement"]["seq"]) == (50.0, 50, 1)


@pytest.mark.parametrize(
    ("etag", "status", "code"),
    [(None, 428, "if-match-missing"), ('"of yesterday"', 412, "if-match-failed")],
)
def test_a_change_names_what_was_read(
    world: World, etag: str | None, status: int, code: str
) -> None:
    answer = patch(world, "admin", {"points": 50}, etag)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


@pytest.mark.parametrize("body", [{"points": 0}, {"position": -1}, {"state": "draft"}, {"slug": 1}])
def test_what_cannot_be_is_refused(world: World, body: dict[str, Any]) -> None:
    assert patch(world, "admin", body).status_code == 422


def test_revisions_are_listed_and_downloaded(world: World) -> None:
    publish_package(world.database, canary_package(NEW_TEXT))
    teacher = world.client("teacher")
    items = teacher.get(f"{PROBLEM}/revisions").json()["items"]
    assert [(one["number"], one["is_published"]) for one in items] == [(2, True), (1, False)]
    assert items[0]["tests_hash"] == items[1]["tests_hash"]
    answer = teacher.get(f"/api/v1/admin/revisions/{items[1]['id']}/package")
    assert answer.headers["content-type"] == "application/zip"
    assert 'filename="count_large-1.zip"' in answer.headers["content-disposition"]
    assert load(read_archive(answer.content), SLUG).content_hash == items[1]["content_hash"]


def test_an_older_revision_needs_a_word_about_scores(world: World) -> None:
    publish_package(world.database, canary_package(NEW_TESTS), "keep")
    world.submit_and_judge(judgement_of(world.package))
    admin = world.client("admin")
    path = publishing(world.published.revision_id)
    refused = admin.post(path, json={})
    assert (refused.status_code, refused.json()["code"]) == (409, "needs-score-policy")
    assert refused.json()["policies"] == ["keep", "rejudge_best", "rejudge_all"]
    done = admin.post(path, json={"scores": "rejudge_all"}).json()
    assert (done["number"], done["is_new"], done["rejudge"]["submissions"]) == (1, True, 1)
    assert admin.get(f"/api/v1/admin/rejudges/{done['rejudge']['id']}").status_code == 200
    world.judge_next(judgement_of(world.package))
    seen = world.client("admin").get(f"/api/v1/admin/rejudges/{done['rejudge']['id']}").json()
    assert (seen["state"], seen["applies_itself"]) == ("applied", True)


@pytest.mark.parametrize("state", ["pending", "failed"])
def test_what_was_not_proved_is_not_published(world: World, state: str) -> None:
    first = world.published.revision_id
    publish_package(world.database, canary_package(NEW_TEXT))
    with world.database.write() as connection:
        connection.execute(
            update(revision).where(revision.c.id == first).values(verify_state=state)
        )
    answer = world.client("admin").post(publishing(first), json={})
    assert (answer.status_code, answer.json()["code"]) == (409, "not-verified")


def test_what_a_teacher_made_exists_for_it_and_for_admins(world: World) -> None:
    revision_id = own_problem(world, "teacher")
    set_role(world.database, world.accounts["other"], "teacher")
    paths = (
        "/api/v1/problems/my_problem",
        "/api/v1/problems/my_problem/solution",
        "/api/v1/problems/my_problem/revisions",
        "/api/v1/admin/problems/my_problem",
        f"/api/v1/admin/revisions/rev_{revision_id}/package",
    )
    for who, status in (("teacher", 200), ("admin", 200), ("other", 404)):
        client = world.client(who)
        assert [client.get(path).status_code for path in paths] == [status] * len(paths), who
    for who in ("anonymous", "learner"):
        client = world.anonymous() if who == "anonymous" else world.client(who)
        assert {client.get(path).status_code for path in paths} <= {401, 403, 404}, who
        assert client.get(paths[0]).status_code == 404
    listed = {
        who: "my_problem"
        in {one["slug"] for one in world.client(who).get("/api/v1/problems").json()["items"]}
        for who in ("teacher", "admin", "other", "learner")
    }
    assert listed == {"teacher": True, "admin": True, "other": False, "learner": False}


def test_a_teacher_changes_what_it_made_and_nothing_else(world: World) -> None:
    revision_id = own_problem(world, "teacher")
    teacher = world.client("teacher")
    path = "/api/v1/admin/problems/my_problem"
    etag = teacher.get(path).headers["etag"]
    changed = teacher.patch(path, json={"points": 10}, headers={"If-Match": etag})
    assert (changed.status_code, changed.json()["owner"]) == (200, "teacher")
    assert teacher.post(publishing(revision_id), json={}).status_code == 200
    foreign = teacher.post(publishing(world.published.revision_id), json={})
    assert (foreign.status_code, foreign.json()["code"]) == (404, "revision-not-found")
    assert patch(world, "teacher", {"points": 1}).status_code == 404


def test_a_token_without_the_scope_does_nothing_here(world: World) -> None:
    client = world.client("admin", "problems:read", "submissions:read")
    for path in (STATE, f"{PROBLEM}/revisions", "/api/v1/admin/rejudges"):
        answer = client.get(path)
        assert (answer.status_code, answer.json()["code"]) == (403, "missing-scope")
