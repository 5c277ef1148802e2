"""Judging again after the judge's own fault, and revealing a case that failed."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from api_world import (
    BOX_CANARIES,
    HIDDEN_ANSWER,
    SLUG,
    World,
    canary_package,
    hidden_failure,
    judgement_of,
    publish_package,
)
from package_builder import JUDGE_YAML

from judge.actions.reveal import Revealed, reveal
from judge.domain.access import Caller, Role
from judge.domain.submission import CaseResult, Judgement
from judge.domain.verdicts import Reason, Verdict
from judge.errors import Forbidden, Refused

# Cases of the builder's package in grading order: a sample, two basic ones, one of the edges.
SAMPLE, BASIC, SECOND_BASIC, EDGE = 1, 2, 3, 4
PATHS = ("sample/01", "secret/10-basic/01", "secret/10-basic/02", "secret/20-edges/01")


def failing(world: World, *ordinals: int) -> Judgement:
    """These cases failed with all that a box can say."""
    failed = {
        PATHS[ordinal - 1]: replace(hidden_failure(Verdict.WRONG_ANSWER), id=PATHS[ordinal - 1])
        for ordinal in ordinals
    }
    return judgement_of(world.package, failed)


class TestRetry:
    def path(self, submission_id: str) -> str:
        return f"/api/v1/submissions/{submission_id}/retry"

    def test_what_the_judge_failed_is_judged_again_and_cost_nothing(self, world: World) -> None:
        submission_id = world.submit_and_judge(None)
        client = world.client("learner")
        rows = client.get("/api/v1/scores").json()["items"]
        assert [(row["score"], row["submissions"]) for row in rows] == [(None, 0)]
        again = client.post(self.path(submission_id))
        assert (again.status_code, again.json()["retries_left"]) == (202, 2)
        assert again.headers["location"] == f"/api/v1/submissions/{submission_id}"
        told = client.get(f"/api/v1/submissions/{submission_id}").json()
        assert (told["state"], told["judgement"]["seq"]) == ("queued", 2)
        assert world.judge_next(judgement_of(world.package)) == submission_id
        told = client.get(f"/api/v1/submissions/{submission_id}").json()
        assert (told["verdict"], told["score"]) == ("accepted", 100.0)
        first = client.get(f"/api/v1/submissions/{submission_id}?judgement=1").json()
        assert (first["verdict"], first["judgement"]["is_current"]) == ("internal_error", False)
        rows = client.get("/api/v1/scores").json()["items"]
        assert [(row["score"], row["submissions"]) for row in rows] == [(100.0, 1)]

    def test_three_times_at_most(self, world: World) -> None:
        submission_id = world.submit_and_judge(None)
        for left in (2, 1, 0):
            again = world.client("learner").post(self.path(submission_id))
            assert (again.status_code, again.json()["retries_left"]) == (202, left)
            assert world.client("learner").post(self.path(submission_id)).status_code == 409
            world.judge_next(None)
        spent = world.client("learner").post(self.path(submission_id))
        assert (spent.status_code, spent.json()["code"]) == (409, "retries-spent")

    @pytest.mark.parametrize("passes", [True, False])
    def test_a_verdict_on_the_learner_stands(self, world: World, passes: bool) -> None:
        result = failing(world) if passes else failing(world, EDGE)
        submission_id = world.submit_and_judge(result)
        refused = world.client("learner").post(self.path(submission_id))
        assert (refused.status_code, refused.json()["code"]) == (409, "not-retryable")

    def test_of_many_clicks_one_counts(self, world: World) -> None:
        submission_id = world.submit_and_judge(None)
        client = world.client("learner")
        with ThreadPoolExecutor(6) as threads:
            path = self.path(submission_id)
            codes = list(threads.map(lambda _: client.post(path).status_code, range(6)))
        assert sorted(codes) == [202, *[409] * 5]

    def test_followers_go_on_where_they_were(self, world: World) -> None:
        submission_id = world.submit_and_judge(None)
        client, path = world.client("learner"), f"/api/v1/submissions/{submission_id}/events"
        last = client.get(path).text.rpartition("id: ")[2].strip()
        client.post(self.path(submission_id))
        world.judge_next(judgement_of(world.package))
        text = client.get(path, headers={"Last-Event-ID": last}).text
        assert [line for line in text.splitlines() if line.startswith("event")] == [
            "event: queued",
            "event: judged",
        ]

    def test_a_rejudge_that_is_open_meanwhile_still_comes_to_its_end(self, world: World) -> None:
        submission_id = world.submit_and_judge(None)
        admin = world.client("admin")
        rejudge = admin.post("/api/v1/admin/rejudges", json={"problem": SLUG}).json()["id"]
        assert world.client("learner").post(self.path(submission_id)).status_code == 202
        world.judge_next(failing(world, EDGE))
        world.judge_next(judgement_of(world.package))
        applied = world.client("admin").post(f"/api/v1/admin/rejudges/{rejudge}/apply", json={})
        assert applied.status_code == 200, applied.text
        told = world.client("learner").get(f"/api/v1/submissions/{submission_id}").json()
        assert (told["score"], told["judgement"]["seq"], told["judgement"]["cause"]) == (
            100.0,
            2,
            "rejudge",
        )
        history = world.client("learner").get(f"/api/v1/submissions/{submission_id}/judgements")
        assert [one["is_current"] for one in history.json()["items"]] == [False, True, False]


class TestReveal:
    def reveal(self, world: World, submission_id: str, ordinal: int, who: str = "learner"):
        return world.client(who).post(f"/api/v1/submissions/{submission_id}/reveal/{ordinal}")

    def test_a_revealed_case_is_shown_whole_from_then_on(self, world: World) -> None:
        submission_id = world.submit_and_judge(failing(world, EDGE))
        shown = self.reveal(world, submission_id, EDGE)
        assert (shown.status_code, shown.json()["reveals_left"]) == (200, 1)
        detail = shown.json()["case"]["detail"]
        assert (detail["expected"], detail["returned"]) == (HIDDEN_ANSWER, "27182818")
        assert detail["note"] == ""
        cases = world.client("learner").get(f"/api/v1/submissions/{submission_id}").json()["cases"]
        assert [case["detail"] is not None for case in cases] == [True, False, False, True]
        assert cases[3] == shown.json()["case"]
        later = world.submit_and_judge(failing(world, EDGE, BASIC))
        cases = world.client("learner").get(f"/api/v1/submissions/{later}").json()["cases"]
        assert [case["detail"] is not None for case in cases] == [True, False, False, True]

    def test_two_are_all_and_the_same_one_twice_is_one(self, world: World) -> None:
        submission_id = world.submit_and_judge(failing(world, BASIC, SECOND_BASIC, EDGE))
        left = [
            self.reveal(world, submission_id, ordinal).json()["reveals_left"]
            for ordinal in (EDGE, EDGE, BASIC, EDGE)
        ]
        assert left == [1, 1, 0, 0]
        spent = self.reveal(world, submission_id, SECOND_BASIC)
        assert (spent.status_code, spent.json()["code"]) == (403, "reveal-budget-spent")
        assert not [canary for canary in BOX_CANARIES if canary in spent.text]

    @pytest.mark.parametrize("ordinal", [SAMPLE, BASIC, 5, 2**31 - 1])
    def test_only_what_failed_and_is_hidden_can_be_revealed(
        self, world: World, ordinal: int
    ) -> None:
        submission_id = world.submit_and_judge(failing(world, SAMPLE, EDGE))
        refused = self.reveal(world, submission_id, ordinal)
        assert (refused.status_code, refused.json()["code"]) == (409, "not-revealable")
        assert self.reveal(world, submission_id, EDGE).json()["reveals_left"] == 1

    def test_a_case_that_was_not_run_tells_nothing(self, world: World) -> None:
        skipped = CaseResult(PATHS[-1], Verdict.SKIPPED, Reason.AFTER_TIME_LIMIT)
        late = CaseResult(PATHS[2], Verdict.TIME_LIMIT_EXCEEDED, Reason.CPU_TIME)
        result = judgement_of(world.package, {PATHS[2]: late, PATHS[-1]: skipped})
        submission_id = world.submit_and_judge(result)
        assert self.reveal(world, submission_id, EDGE).status_code == 409
        assert self.reveal(world, submission_id, SECOND_BASIC).status_code == 200

    def test_what_is_not_judged_yet_or_failed_by_us_reveals_nothing(self, world: World) -> None:
        waiting = world.submit()["id"]
        assert self.reveal(world, waiting, EDGE).status_code == 409
        world.judge_next(None)
        assert self.reveal(world, waiting, EDGE).status_code == 409

    @pytest.mark.parametrize("who", ["other", "teacher", "admin"])
    def test_nobody_reveals_for_somebody_else(self, world: World, who: str) -> None:
        submission_id = world.submit_and_judge(failing(world, EDGE))
        assert self.reveal(world, submission_id, EDGE, who).status_code == 404

    def test_staff_need_no_reveals_for_their_own(self, world: World) -> None:
        submission_id = world.submit_and_judge(failing(world, EDGE), "teacher")
        shown = self.reveal(world, submission_id, BASIC, "teacher")
        assert (shown.status_code, shown.json()["reveals_left"]) == (200, None)

    def test_a_package_may_allow_none(self, world: World) -> None:
        closed = JUDGE_YAML.replace("cases: 2", "cases: 0")
        publish_package(world.database, canary_package({"judge.yaml": closed}), "keep")
        submission_id = world.submit_and_judge(failing(world, EDGE))
        assert self.reveal(world, submission_id, EDGE).json()["code"] == "not-revealable"

    def test_the_budget_is_one_over_all_revisions(self, world: World) -> None:
        first = world.submit_and_judge(failing(world, EDGE, BASIC))
        self.reveal(world, first, EDGE)
        publish_package(world.database, canary_package({"hints/1.en.md": "anew\n"}))
        second = world.submit_and_judge(failing(world, EDGE, BASIC))
        cases = world.client("learner").get(f"/api/v1/submissions/{second}").json()["cases"]
        assert cases[3]["detail"] is None
        assert self.reveal(world, second, EDGE).json()["reveals_left"] == 0
        assert self.reveal(world, second, BASIC).json()["code"] == "reveal-budget-spent"

    def test_of_many_reveals_at_once_only_two_are_given(self, world: World) -> None:
        submission_id = world.submit_and_judge(failing(world, BASIC, SECOND_BASIC, EDGE))
        caller = Caller(world.accounts["learner"], "learner", Role.LEARNER)

        def ask(ordinal: int) -> Revealed | Refused:
            try:
                return reveal(world.database, caller, submission_id.removeprefix("sub_"), ordinal)
            except Refused as error:
                return error

        with ThreadPoolExecutor(6) as threads:
            came = list(threads.map(ask, [BASIC, SECOND_BASIC, EDGE] * 2))
        shown = {one.path for one in came if isinstance(one, Revealed)}
        assert len(shown) == 2
        assert {type(one) for one in came if isinstance(one, Refused)} == {Forbidden}


def test_a_problem_named_by_another_slug_is_not_needed(world: World) -> None:
    """Both routes begin at the submission, so a problem that was retired meanwhile keeps them."""
    submission_id = world.submit_and_judge(None)
    client = world.client("admin")
    etag = client.get(f"/api/v1/admin/problems/{SLUG}").headers["etag"]
    client.patch(
        f"/api/v1/admin/problems/{SLUG}", json={"state": "retired"}, headers={"If-Match": etag}
    )
    again = world.client("learner").post(f"/api/v1/submissions/{submission_id}/retry")
    assert again.status_code == 202
