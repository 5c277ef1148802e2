"""Scores and progress agree with each other and with what was judged."""

import csv
import io
import json
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from api_world import SLUG, World, judgement_of
from sqlalchemy import update

from judge.api.csv_text import neutral
from judge.db.tables import account, submission
from judge.domain.submission import CaseResult
from judge.domain.verdicts import Reason, Verdict


def failing(world: World, *cases: str):
    results = {case: CaseResult(case, Verdict.WRONG_ANSWER, Reason.WRONG_VALUE) for case in cases}
    return judgement_of(world.package, results)


@pytest.fixture
def judged(world: World) -> World:
    """learner: 60, then 100 points; other: 0 points; teacher: the judge's own fault."""
    world.submit_and_judge(failing(world, "secret/10-basic/01"))
    world.submit_and_judge(judgement_of(world.package))
    everything = ("secret/10-basic/01", "secret/20-edges/01")
    world.submit_and_judge(failing(world, *everything), "other")
    world.submit_and_judge(None, "teacher")
    return world


def test_learners_read_their_own_rows(judged: World) -> None:
    rows = judged.client("learner").get("/api/v1/scores").json()["items"]
    assert [(row["handle"], row["problem"]) for row in rows] == [("learner", SLUG)]
    assert (rows[0]["score"], rows[0]["max_score"], rows[0]["submissions"]) == (100.0, 100, 2)
    assert rows[0]["revision"] == 1
    assert rows[0]["after_solution"] is False


def test_no_score_is_null_and_zero_is_zero(judged: World) -> None:
    rows = judged.client("admin").get("/api/v1/scores").json()["items"]
    assert [(row["handle"], row["score"]) for row in rows] == [
        ("learner", 100.0),
        ("other", 0.0),
        ("teacher", None),
    ]


def test_the_first_acceptance_is_the_time_of_submission(judged: World) -> None:
    client = judged.client("learner")
    accepted = client.get("/api/v1/submissions").json()["items"][0]
    row = client.get("/api/v1/scores").json()["items"][0]
    assert accepted["verdict"] == "accepted"
    assert row["first_accepted_at"] == accepted["created_at"]


def test_a_later_and_worse_submission_changes_no_score(judged: World) -> None:
    judged.submit_and_judge(failing(judged, "secret/20-edges/01"))
    row = judged.client("learner").get("/api/v1/scores").json()["items"][0]
    assert (row["score"], row["submissions"]) == (100.0, 3)


def test_reading_the_solution_marks_what_was_scored_after_it(world: World) -> None:
    world.submit_and_judge(failing(world, "secret/10-basic/01"))
    world.client("learner").get(f"/api/v1/problems/{SLUG}/solution")
    before = world.client("learner").get("/api/v1/scores").json()["items"][0]
    world.submit_and_judge(judgement_of(world.package))
    after = world.client("learner").get("/api/v1/scores").json()["items"][0]
    assert (before["after_solution"], after["after_solution"]) == (False, True)


def test_all_formats_hold_the_same_rows(judged: World) -> None:
    client = judged.client("admin")
    rows = client.get("/api/v1/scores").json()["items"]
    lines = client.get("/api/v1/scores", headers={"Accept": "application/x-ndjson"})
    assert lines.headers["content-type"].startswith("application/x-ndjson")
    assert [json.loads(line) for line in lines.text.splitlines()] == rows
    table = client.get("/api/v1/scores", headers={"Accept": "text/csv"})
    assert table.headers["content-type"].startswith("text/csv")
    read = list(csv.DictReader(io.StringIO(table.text)))
    assert [row["handle"] for row in read] == [row["handle"] for row in rows]
    assert [row["score"] for row in read] == ["100.0", "0.0", ""]
    assert list(read[0]) == list(rows[0])


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("*/*", "application/json"),
        ("text/*", "text/csv"),
        ("application/json;q=0.1, text/csv", "text/csv"),
        ("text/html, */*;q=0.1", "application/json"),
        ("application/x-ndjson, application/json", "application/json"),
    ],
)
def test_the_format_follows_the_accept_header(world: World, accept: str, media_type: str) -> None:
    answer = world.client("learner").get("/api/v1/scores", headers={"Accept": accept})
    assert answer.headers["content-type"].partition(";")[0] == media_type


def test_a_format_that_is_not_offered_is_406(world: World) -> None:
    answer = world.client("learner").get("/api/v1/scores", headers={"Accept": "text/html"})
    assert (answer.status_code, answer.json()["code"]) == (406, "not-acceptable")


def test_scores_have_pages_and_filters(judged: World) -> None:
    client = judged.client("admin")
    page = client.get("/api/v1/scores?limit=2").json()
    rest = client.get(page["next"]).json()
    assert [row["handle"] for row in page["items"] + rest["items"]] == [
        "learner",
        "other",
        "teacher",
    ]
    assert rest["next"] is None
    only = client.get("/api/v1/scores?account=Other").json()["items"]
    assert [row["handle"] for row in only] == ["other"]
    assert client.get("/api/v1/scores?problem=nothing").json()["items"] == []
    assert client.get("/api/v1/scores?account=nobody").status_code == 404


def test_learners_do_not_ask_for_others(judged: World) -> None:
    client = judged.client("learner")
    assert client.get("/api/v1/scores?account=other").status_code == 403
    assert client.get("/api/v1/scores?account=nobody").status_code == 403
    assert len(client.get("/api/v1/scores?account=LEARNER").json()["items"]) == 1


def test_progress_agrees_with_scores(judged: World) -> None:
    client = judged.client("learner")
    progress = client.get("/api/v1/me/progress").json()
    row = client.get("/api/v1/scores").json()["items"][0]
    assert (progress["points"], progress["max"]) == (row["score"], row["max_score"])
    assert (progress["solved"], progress["problems"]) == (1, 1)
    assert progress["by_topic"] == [
        {"topic": "counting", "points": 100.0, "max": 100, "solved": 1, "problems": 1}
    ]
    assert progress["by_problem"][0]["score"] == 100.0
    assert progress["by_problem"][0]["submissions"] == 2
    assert progress["run_of_days"] == 1


def test_somebody_without_submissions_has_no_score_yet(world: World) -> None:
    progress = world.client("other").get("/api/v1/me/progress").json()
    assert (progress["points"], progress["max"], progress["run_of_days"]) == (0.0, 100, 0)
    assert progress["by_problem"][0]["score"] is None
    assert progress["days"] == []


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/Los_Angeles"])
def test_days_are_those_of_the_accounts_time_zone(world: World, zone: str) -> None:
    with world.database.write() as connection:
        connection.execute(update(account).values(time_zone=zone))
    world.submit()
    with world.database.read() as connection:
        row = connection.execute(submission.select()).one()
    assert row.local_date == row.created_at.astimezone(ZoneInfo(zone)).date()
    days = world.client("learner").get("/api/v1/me/progress").json()["days"]
    assert days == [{"local_date": row.local_date.isoformat(), "submissions": 1}]
    assert row.created_at.tzinfo is UTC
    assert isinstance(row.created_at, datetime)


@pytest.mark.parametrize("handle", ["=1+1", "+1", "-1+2", "@SUM(A1)", "\t=1"])
def test_no_cell_of_the_table_is_a_formula(judged: World, handle: str) -> None:
    with judged.database.write() as connection:
        connection.execute(
            update(account).where(account.c.handle == "learner").values(handle=handle)
        )
    admin = judged.client("admin")
    table = admin.get("/api/v1/scores", headers={"Accept": "text/csv"}).text
    handles = [row["handle"] for row in csv.DictReader(io.StringIO(table))]
    assert neutral(handle) in handles
    assert not any(one.startswith(("=", "+", "-", "@", "\t")) for one in handles)
    assert handle in [row["handle"] for row in admin.get("/api/v1/scores").json()["items"]]
