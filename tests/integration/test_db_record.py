"""Recording judgements: fenced, whole, and counted once."""

import json
import threading
from dataclasses import replace

import numpy as np
import pytest
from db_world import hand_in, judgement, learner, publish_builder, take
from package_builder import JUDGE_YAML
from sqlalchemy import select, update

from judge.actions.recompute import recompute
from judge.actions.record import MAX_NOTE_CHARACTERS, record, record_fault, record_lost
from judge.actions.stage import set_stage
from judge.db.engine import Database
from judge.db.queries.scores import find_best_score
from judge.db.tables import best_score, event, job, test_result
from judge.db.tables import judgement as judgement_table
from judge.db.tables.results import MAX_GOT_BYTES
from judge.domain.access import Caller
from judge.domain.progress import BestScore
from judge.domain.scoring import Score
from judge.domain.submission import CaseResult, CompileResult, Judgement
from judge.domain.verdicts import Reason, Verdict
from judge.errors import JudgeBroken
from judge.queue.losses import release_worker


@pytest.fixture
def court(database: Database) -> Database:
    publish_builder(database)
    return database


@pytest.fixture
def ada(court: Database) -> Caller:
    return learner(court)


def best_of(database: Database, caller: Caller) -> BestScore | None:
    with database.read() as connection:
        problem_id = connection.scalar(select(best_score.c.problem_id))
        return problem_id and find_best_score(connection, caller.account_id, problem_id)


def all_rows(database: Database, table) -> list[dict[str, object]]:
    with database.read() as connection:
        return [dict(row._mapping) for row in connection.execute(select(table))]


def test_a_judgement_is_recorded_in_full(court: Database, ada: Caller) -> None:
    hand_in(court, ada)
    assert record(court, take(court), judgement(60))
    (stored,) = all_rows(court, judgement_table)
    assert (stored["state"], stored["verdict"], stored["reason"]) == (
        "judged",
        "wrong_answer",
        "wrong_value",
    )
    assert (stored["score_num"], stored["score_den"], stored["tests_passed"]) == (60, 100, 3)
    assert stored["cpu_ms"] == 3
    assert len(all_rows(court, test_result)) == 4
    assert [row["kind"] for row in all_rows(court, event)] == ["queued", "judged"]
    assert all_rows(court, job)[0]["state"] == "done"
    assert best_of(court, ada).score == Score(60, 100)


def test_a_lost_claim_writes_nothing(court: Database, ada: Caller) -> None:
    hand_in(court, ada)
    frozen = take(court)
    release_worker(court, "test-worker")
    assert not set_stage(court, frozen, "running", 1, 4)
    assert not record(court, frozen, judgement(100))
    assert not record_fault(court, frozen, "too late")
    assert all_rows(court, test_result) == []
    assert best_of(court, ada) is None
    second = take(court)
    assert record(court, second, judgement(60))
    assert not record(court, second, judgement(100))
    assert best_of(court, ada).score == Score(60, 100)


def test_stages_are_shown_and_leave_events(court: Database, ada: Caller) -> None:
    hand_in(court, ada)
    held = take(court)
    for stage, done in (("compiling", 0), ("running", 0), ("running", 2)):
        assert set_stage(court, held, stage, done, 4)
    (stored,) = all_rows(court, judgement_table)
    assert (stored["state"], stored["tests_done"], stored["tests_planned"]) == ("running", 2, 4)
    assert stored["started_at"] is not None
    told = [(row["kind"], row["data"].get("done")) for row in all_rows(court, event)]
    assert told == [("queued", None), ("compiling", 0), ("running", 0), ("running", 2)]
    record(court, held, judgement(100))
    assert not set_stage(court, held, "running", 3, 4)
    with pytest.raises(ValueError, match="judged"):
        set_stage(court, held, "judged", 4, 4)


def test_the_judges_fault_has_no_score(court: Database, ada: Caller) -> None:
    hand_in(court, ada)
    runner = {"tier": "B", "layers": "seccomp,rlimits"}
    assert record_fault(court, take(court), "the box would not open", runner)
    (stored,) = all_rows(court, judgement_table)
    assert (stored["verdict"], stored["reason"]) == ("internal_error", "judge_fault")
    assert (stored["score_num"], stored["score_den"]) == (None, None)
    assert stored["toolchain"] == {**runner, "fault": "the box would not open"}
    assert best_of(court, ada) is None


@pytest.mark.parametrize(
    ("note", "kept"),
    [
        ("greeted with \0", "greeted with \ufffd"),
        ("x" * 9000, "x" * (MAX_NOTE_CHARACTERS - 1) + "…"),
    ],
    ids=["short", "long"],
)
def test_what_a_checker_noted_is_kept_to_a_length(
    court: Database, ada: Caller, note: str, kept: str
) -> None:
    hand_in(court, ada)
    whole = judgement(100)
    first, *others = whole.cases
    record(court, take(court), replace(whole, cases=(replace(first, note=note), *others)))
    notes = sorted(row["note"] for row in all_rows(court, test_result))
    assert notes == ["", "", "", kept]


def test_an_internal_error_takes_no_earlier_score(court: Database, ada: Caller) -> None:
    hand_in(court, ada)
    record(court, take(court), judgement(60))
    hand_in(court, ada)
    record(court, take(court), judgement(100, verdict=Verdict.INTERNAL_ERROR))
    best = best_of(court, ada)
    assert (best.score, best.submissions) == (Score(60, 100), 1)


def test_a_parked_job_is_recorded_by_exactly_one(court: Database, ada: Caller) -> None:
    submitted = hand_in(court, ada)
    job_id = all_rows(court, job)[0]["id"]
    for _ in range(3):
        take(court)
        release_worker(court, "test-worker")
    results: list[str | None] = []
    threads = [
        threading.Thread(target=lambda: results.append(record_lost(court, job_id)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(filter(None, results)) == [submitted.submission_id]
    assert all_rows(court, judgement_table)[0]["verdict"] == "internal_error"


def test_results_for_unknown_cases_are_the_judges_fault(court: Database, ada: Caller) -> None:
    hand_in(court, ada)
    strange = Judgement(
        Verdict.ACCEPTED,
        Reason.NONE,
        Score(1, 1),
        CompileResult(True),
        (CaseResult("secret/elsewhere/01", Verdict.ACCEPTED),),
    )
    with pytest.raises(JudgeBroken):
        record(court, take(court), strange)
    assert all_rows(court, job)[0]["state"] == "claimed"


PATHS = ("sample/01", "secret/10-basic/01", "secret/10-basic/02", "secret/20-edges/01")
AC, WA, SKIPPED = Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.SKIPPED


def claimed(
    verdict: Verdict, earned: int, *cases: tuple[str, Verdict], full: int = 100
) -> Judgement:
    results = tuple(CaseResult(path, case_verdict) for path, case_verdict in cases)
    return Judgement(verdict, Reason.NONE, Score(earned, full), CompileResult(True), results)


ALL_ACCEPTED = tuple((path, AC) for path in PATHS)
LIES = {
    "accepted without a result": claimed(AC, 0),
    "accepted with a case missing": claimed(AC, 40, *ALL_ACCEPTED[:3]),
    "accepted with a wrong answer": claimed(AC, 40, *ALL_ACCEPTED[:3], (PATHS[3], WA)),
    "accepted with a case skipped": claimed(AC, 40, *ALL_ACCEPTED[:3], (PATHS[3], SKIPPED)),
    "accepted with a failed sample": claimed(AC, 100, (PATHS[0], WA), *ALL_ACCEPTED[1:]),
    "accepted with one case twice": claimed(AC, 100, *ALL_ACCEPTED[:3], ALL_ACCEPTED[2]),
    "a case twice besides": claimed(AC, 100, *ALL_ACCEPTED, ALL_ACCEPTED[0]),
    "two answers for one case": claimed(WA, 40, *ALL_ACCEPTED, (PATHS[3], WA)),
    "a case from elsewhere": claimed(WA, 0, ("secret/30-more/01", WA)),
    "full without a result": claimed(Verdict.COMPILE_ERROR, 100),
    "full with a hidden case failed": claimed(WA, 100, *ALL_ACCEPTED[:3], (PATHS[3], WA)),
    "full with a hidden case missing": claimed(WA, 100, *ALL_ACCEPTED[:3]),
    "full of a smaller sum": claimed(WA, 40, *ALL_ACCEPTED[:3], full=40),
    "more than full": claimed(AC, 101, *ALL_ACCEPTED),
    "less than nothing": claimed(WA, -1, (PATHS[0], WA)),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_judgement_that_claims_more_than_it_shows_is_refused(
    court: Database, ada: Caller, lie: str
) -> None:
    hand_in(court, ada)
    held = take(court)
    with pytest.raises(JudgeBroken):
        record(court, held, LIES[lie])
    assert all_rows(court, test_result) == []
    assert best_of(court, ada) is None
    assert [row["kind"] for row in all_rows(court, event)] == ["queued"]
    (stored,) = all_rows(court, judgement_table)
    assert (stored["verdict"], stored["score_num"]) == (None, None)
    assert all_rows(court, job)[0]["state"] == "claimed"
    assert record_fault(court, held, "it lied")
    assert all_rows(court, judgement_table)[0]["verdict"] == "internal_error"
    assert best_of(court, ada) is None


def test_a_failed_sample_without_points_takes_the_acceptance_and_no_points(
    court: Database, ada: Caller
) -> None:
    hand_in(court, ada)
    assert record(court, take(court), claimed(WA, 100, (PATHS[0], WA), *ALL_ACCEPTED[1:]))
    best = best_of(court, ada)
    assert (best.score, best.first_accepted_at) == (Score(100, 100), None)


def test_returned_values_are_kept_as_json_up_to_a_limit(database: Database) -> None:
    yaml = JUDGE_YAML.replace("returns: int", "returns: ndarray[f64, 1]")
    answers = {
        f"data/{case}.ans": "[1.0]\n"
        for case in ("sample/01", "secret/10-basic/01", "secret/10-basic/02", "secret/20-edges/01")
    }
    publish_builder(database, {"judge.yaml": yaml, **answers})
    hand_in(database, learner(database))
    small = np.array([1.0, np.nan, -np.inf])
    large = np.arange(200_000, dtype="<f8")
    cases = tuple(
        CaseResult(
            path, Verdict.WRONG_ANSWER, Reason.WRONG_VALUE, returned=value, has_returned=True
        )
        for path, value in (("sample/01", small), ("secret/20-edges/01", large))
    )
    result = Judgement(
        Verdict.WRONG_ANSWER, Reason.WRONG_VALUE, Score(0, 100), CompileResult(True), cases
    )
    assert record(database, take(database), result)
    blobs = sorted((row["got_blob"] for row in all_rows(database, test_result)), key=len)
    assert json.loads(blobs[0]) == [1.0, "NaN", "-Infinity"]
    assert len(blobs[1]) == MAX_GOT_BYTES
    assert blobs[1].startswith(b"[0.0, 1.0, 2.0")
    assert blobs[1].endswith(b"~")


def test_recomputing_changes_nothing_that_is_right(court: Database, ada: Caller) -> None:
    hand_in(court, ada)
    record(court, take(court), judgement(60))
    (before,) = all_rows(court, best_score)
    recompute(court, ada.account_id, before["problem_id"])
    assert all_rows(court, best_score) == [before]


def test_who_has_submitted_has_a_row_without_a_score_at_first(court: Database, ada: Caller) -> None:
    hand_in(court, ada)
    (begun,) = all_rows(court, best_score)
    assert (begun["score_num"], begun["judgement_id"], begun["submissions"]) == (None, None, 0)
    hand_in(court, ada)
    assert all_rows(court, best_score) == [begun]


def test_recomputing_repairs_what_is_wrong(court: Database, ada: Caller) -> None:
    hand_in(court, ada)
    record(court, take(court), judgement(60))
    (before,) = all_rows(court, best_score)
    with court.write() as connection:
        connection.execute(update(best_score).values(score_num=99, submissions=7))
    recompute(court, ada.account_id, before["problem_id"])
    (after,) = all_rows(court, best_score)
    assert (after["score_num"], after["submissions"]) == (60, 1)
    with court.write() as connection:
        connection.execute(update(judgement_table).values(is_current=False))
    recompute(court, ada.account_id, before["problem_id"])
    assert best_of(court, ada) is None


def test_many_workers_at_once_leave_the_right_best_score(court: Database, ada: Caller) -> None:
    scores = [0, 40, 60, 100, 60, 40, 0, 100]
    for _ in scores:
        hand_in(court, ada)
    claims = [take(court) for _ in scores]
    threads = [
        threading.Thread(target=record, args=(court, held, judgement(earned)))
        for held, earned in zip(claims, scores, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    best = best_of(court, ada)
    assert (best.score, best.submissions) == (Score(100, 100), len(scores))
