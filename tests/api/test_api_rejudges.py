"""Rejudging over the API: preview, counts, apply or cancel, and the history that stays readable."""

from typing import Any

import pytest
from api_world import (
    SLUG,
    World,
    canary_package,
    hidden_failure,
    judgement_of,
    proof_of,
    set_role,
)
from package_builder import JUDGE_YAML, case_texts

from judge.actions.publish import ScorePolicy, Scores, publish
from judge.domain.access import Caller, Role
from judge.domain.verdicts import Reason, Verdict

PATH = "/api/v1/admin/rejudges"
NEW_TESTS = case_texts("secret/10-basic/02", [9.0], 1.0, 1)


def wrong(world: World):
    case = hidden_failure(Verdict.WRONG_ANSWER, reason=Reason.WRONG_VALUE)
    return judgement_of(world.package, {case.id: case})


def right(world: World):
    return judgement_of(world.package)


def preview(world: World, **body: Any) -> dict[str, Any]:
    answer = world.client("admin").post(PATH, json={"problem": SLUG, **body})
    assert answer.status_code == 201, answer.text
    assert answer.headers["location"] == f"{PATH}/{answer.json()['id']}"
    return dict(answer.json())


def test_a_preview_is_judged_looked_at_and_applied(world: World) -> None:
    submission_id = world.submit_and_judge(wrong(world))
    begun = preview(world, verdict="wrong_answer", account="learner")
    assert (begun["state"], begun["submissions"], begun["pending"]) == ("preview", 1, 1)
    assert begun["selector"]["verdict"] == "wrong_answer"
    admin = world.client("admin")
    early = admin.post(f"{PATH}/{begun['id']}/apply", json={})
    assert (early.status_code, early.json()["code"]) == (409, "rejudge-unfinished")
    world.judge_next(right(world))
    seen = world.client("admin").get(f"{PATH}/{begun['id']}").json()
    assert seen["pending"] == 0
    assert seen["summary"]["up"] == 1
    (one,) = seen["summary"]["accounts"]
    assert (one["handle"], one["before"], one["after"], one["change"]) == (
        "learner",
        40.0,
        100.0,
        "up",
    )
    learner = world.client("learner")
    assert learner.get(f"/api/v1/submissions/{submission_id}").json()["score"] == 40.0
    # A body may be missing.
    applied = world.client("admin").post(f"{PATH}/{begun['id']}/apply")
    assert (applied.status_code, applied.json()["state"]) == (200, "applied")
    assert applied.json()["summary"] == seen["summary"]
    after = world.client("learner").get(f"/api/v1/submissions/{submission_id}").json()
    assert (after["score"], after["judgement"]["seq"], after["judgement"]["cause"]) == (
        100.0,
        2,
        "rejudge",
    )


def test_scores_fall_only_where_that_is_asked_for(world: World) -> None:
    world.submit_and_judge(right(world))
    begun = preview(world)
    world.judge_next(wrong(world))
    admin = world.client("admin")
    unasked = admin.get(f"{PATH}/{begun['id']}").json()["summary"]
    assert (unasked["down"], unasked["kept"]) == (0, 1)
    asked = admin.get(f"{PATH}/{begun['id']}?allow_decrease=true").json()["summary"]
    assert (asked["down"], asked["kept"]) == (1, 0)
    applied = admin.post(f"{PATH}/{begun['id']}/apply", json={"allow_decrease": True}).json()
    assert applied["allow_decrease"] is True
    scores = world.client("learner").get("/api/v1/scores").json()["items"]
    assert [row["score"] for row in scores] == [40.0]


def test_cancelling_leaves_everything_as_it_was(world: World) -> None:
    submission_id = world.submit_and_judge(wrong(world))
    begun = preview(world)
    ended = world.client("admin").post(f"{PATH}/{begun['id']}/cancel", json={})
    assert (ended.json()["state"], ended.json()["summary"]) == ("cancelled", None)
    again = world.client("admin").post(f"{PATH}/{begun['id']}/cancel", json={})
    assert (again.status_code, again.json()["code"]) == (409, "rejudge-closed")
    answer = world.client("learner").get(f"/api/v1/submissions/{submission_id}").json()
    assert (answer["score"], answer["judgement"]["seq"]) == (40.0, 1)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"problem": "nothing"}, "problem-not-found"),
        ({"problem": SLUG, "account": "nobody"}, "handle-not-found"),
        ({"problem": SLUG, "language": "java"}, "rejudge-empty"),
        ({"problem": SLUG, "language": "cobol"}, "invalid-request"),
        ({"problem": SLUG, "verdict": "skip"}, "invalid-request"),
        ({"problem": SLUG, "since": "2026-09-01T00:00:00"}, "invalid-request"),
        ({"problem": SLUG, "revision": 2**40}, "invalid-request"),
        ({"problem": SLUG, "best_only": True}, "invalid-request"),
        ({}, "invalid-request"),
    ],
)
def test_what_cannot_be_selected_is_refused(world: World, body: dict[str, Any], code: str) -> None:
    world.submit_and_judge(wrong(world))
    answer = world.client("admin").post(PATH, json=body)
    assert answer.json()["code"] == code


def test_a_second_one_is_refused_while_one_is_open(world: World) -> None:
    world.submit_and_judge(wrong(world))
    preview(world)
    again = world.client("admin").post(PATH, json={"problem": SLUG})
    assert (again.status_code, again.json()["code"]) == (409, "rejudge-open")


def test_who_published_sees_how_far_the_rejudge_is_but_nobodys_scores(world: World) -> None:
    teacher = Caller(world.accounts["teacher"], "teacher", Role.TEACHER)
    mine = {"judge.yaml": JUDGE_YAML.replace("name: count_large", "name: my_problem")}
    first, second = (canary_package({**mine, **tests}) for tests in ({}, NEW_TESTS))
    publish(world.database, first, proof_of(first), publisher=teacher)
    body = {"language": "python", "source": "x"}
    handed_in = world.client("teacher").post("/api/v1/problems/my_problem/submissions", json=body)
    assert handed_in.status_code == 201
    world.judge_next(wrong(world))
    scores = Scores(ScorePolicy.REJUDGE_ALL)
    begun = publish(world.database, second, proof_of(second), scores, teacher).rejudge
    assert begun is not None
    path = f"{PATH}/rej_{begun.rejudge_id}"
    seen = world.client("teacher", "admin:problems").get(path).json()
    assert (seen["state"], seen["submissions"], seen["pending"]) == ("preview", 1, 1)
    world.judge_next(right(world))
    applied = world.client("teacher").get(path).json()
    assert (applied["state"], applied["summary"]["up"]) == ("applied", 1)
    assert applied["summary"]["accounts"] == []
    assert len(world.client("admin", "admin:ops").get(path).json()["summary"]["accounts"]) == 1
    for call in ("apply", "cancel"):
        assert world.client("teacher").post(f"{path}/{call}", json={}).status_code == 403
    set_role(world.database, world.accounts["other"], "teacher")
    assert world.client("other").get(path).status_code == 404
    assert world.client("teacher", "problems:read").get(path).status_code == 403


def test_a_rejudge_by_an_admin_is_not_the_owners_to_see(world: World) -> None:
    world.submit_and_judge(wrong(world))
    path = f"{PATH}/{preview(world)['id']}"
    refused = world.client("teacher").get(path)
    assert (refused.status_code, refused.json()["code"]) == (404, "rejudge-not-found")


def test_they_are_listed_newest_first_in_pages(world: World) -> None:
    world.submit_and_judge(wrong(world))
    ids = []
    for _ in range(3):
        begun = preview(world)
        world.client("admin").post(f"{PATH}/{begun['id']}/cancel", json={})
        ids.insert(0, begun["id"])
    admin = world.client("admin")
    first = admin.get(f"{PATH}?limit=2&problem={SLUG}").json()
    second = admin.get(first["next"]).json()
    assert [one["id"] for one in first["items"] + second["items"]] == ids
    assert second["next"] is None
    assert admin.get(f"{PATH}?problem=nothing").json()["items"] == []


def history(world: World, who: str, submission_id: str) -> list[tuple[int, bool, float | None]]:
    answer = world.client(who).get(f"/api/v1/submissions/{submission_id}/judgements")
    return [(one["seq"], one["is_current"], one["score"]) for one in answer.json()["items"]]


def test_the_owner_reads_what_counted_before_and_admins_read_all(world: World) -> None:
    submission_id = world.submit_and_judge(wrong(world))
    begun = preview(world)
    world.judge_next(right(world))
    path = f"/api/v1/submissions/{submission_id}"
    assert history(world, "learner", submission_id) == [(1, True, 40.0)]
    assert history(world, "admin", submission_id) == [(1, True, 40.0), (2, False, 100.0)]
    hidden = world.client("learner").get(f"{path}?judgement=2")
    assert (hidden.status_code, hidden.json()["code"]) == (404, "judgement-not-found")
    world.client("admin").post(f"{PATH}/{begun['id']}/apply", json={})
    assert history(world, "learner", submission_id) == [(1, False, 40.0), (2, True, 100.0)]
    earlier = world.client("learner").get(f"{path}?judgement=1").json()
    assert (earlier["score"], earlier["verdict"]) == (40.0, "wrong_answer")
    assert earlier["cases"][-1]["verdict"] == "wrong_answer"
    assert earlier["cases"][-1]["detail"] is None
    assert world.client("other").get(f"{path}?judgement=1").status_code == 404
    for number, status in ((3, 404), (0, 422), (2**31, 422)):
        assert world.client("learner").get(f"{path}?judgement={number}").status_code == status
