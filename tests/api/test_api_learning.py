"""The rules of learning on the server: what opens, what is marked, what costs nothing."""

from typing import Any

import pytest
from api_world import SLUG, SOURCE, World, hidden_failure, judgement_of

from judge.domain.scoring import Score
from judge.domain.submission import CompileResult, Judgement
from judge.domain.verdicts import Reason, Verdict

PROBLEM = f"/api/v1/problems/{SLUG}"


def wrong(world: World) -> Judgement:
    case = hidden_failure(Verdict.WRONG_ANSWER)
    return judgement_of(world.package, {case.id: case})


def not_compiled(world: World) -> Judgement:
    failed = CompileResult(False, "", Reason.SYNTAX)
    return Judgement(Verdict.COMPILE_ERROR, Reason.SYNTAX, Score(0, 100), failed, ())


def my(world: World) -> dict[str, Any]:
    return dict(world.client("learner").get(PROBLEM).json()["my"])


def score_row(world: World) -> dict[str, Any]:
    (row,) = world.client("learner").get("/api/v1/scores").json()["items"]
    return dict(row)


@pytest.mark.parametrize("judged", [wrong, not_compiled, None])
def test_hints_and_solution_open_after_the_first_stored_submit_whatever_its_verdict(
    world: World, judged: Any
) -> None:
    client = world.client("learner")
    assert client.get(f"{PROBLEM}/hints/1").status_code == 403
    told = world.submit()
    assert told["unlocked"] == ["hints", "solution"]
    client = world.client("learner")
    assert client.get(f"{PROBLEM}/hints/2").json()["code"] == "open-previous-hint-first"
    assert [client.get(f"{PROBLEM}/hints/{n}").status_code for n in (1, 2)] == [200, 200]
    assert client.get(f"{PROBLEM}/solution").status_code == 200
    world.judge_next(None if judged is None else judged(world))
    locks = world.client("learner").get(PROBLEM).json()["locks"]
    assert (locks["hints"], locks["solution"]) == (False, False)


@pytest.mark.parametrize(
    "body",
    [
        {"language": "python", "source": "x" * 70_000},
        {"language": "rust", "source": SOURCE},
        {"language": "python", "source": "a\0b"},
    ],
)
def test_what_is_refused_opens_nothing(world: World, body: dict[str, str]) -> None:
    assert world.client("learner").post(f"{PROBLEM}/submissions", json=body).status_code >= 400
    assert world.client("learner").get(f"{PROBLEM}/solution").json()["code"] == "solution-locked"


def test_a_run_and_a_draft_open_nothing(world: World) -> None:
    client = world.client("learner")
    body = {"language": "python", "source": SOURCE}
    assert client.post(f"{PROBLEM}/runs", json=body).status_code == 201
    saved = client.put(
        f"{PROBLEM}/drafts/python", json={"source": SOURCE}, headers={"If-None-Match": "*"}
    )
    assert saved.status_code == 200
    assert client.get(f"{PROBLEM}/hints/1").json()["code"] == "hints-locked"
    assert client.get(f"{PROBLEM}/solution").json()["code"] == "solution-locked"
    assert my(world) == {"score": None, "submissions": 0, "status": "new"}


def test_our_own_fault_is_no_score_and_takes_none_away(world: World) -> None:
    world.submit_and_judge(None)
    assert (score_row(world)["score"], my(world)["score"]) == (None, None)
    world.submit_and_judge(judgement_of(world.package))
    world.submit_and_judge(None)
    row = score_row(world)
    assert (row["score"], row["submissions"]) == (100.0, 1)


def test_points_first_earned_after_reading_the_solution_are_marked(world: World) -> None:
    world.submit_and_judge(wrong(world))
    assert score_row(world)["after_solution"] is False
    world.client("learner").get(f"{PROBLEM}/solution")
    assert score_row(world)["after_solution"] is False
    world.submit_and_judge(judgement_of(world.package))
    assert (score_row(world)["score"], score_row(world)["after_solution"]) == (100.0, True)


def test_points_earned_before_stay_unmarked(world: World) -> None:
    world.submit_and_judge(judgement_of(world.package))
    world.client("learner").get(f"{PROBLEM}/solution")
    world.submit_and_judge(judgement_of(world.package))
    assert score_row(world)["after_solution"] is False
