"""One job: a result counts once, and a fault of the judge costs the learner nothing."""

from pathlib import Path

import pytest
from queue_rows import age_leases
from worker_fakes import ACCEPTED_SOURCE, WRONG_SOURCE, FakeGrader, grade_by_source
from worker_rows import Court

from judge.db.engine import Database
from judge.domain.scoring import Score
from judge.domain.submission import CaseResult, CompileResult, Judgement
from judge.domain.verdicts import Reason, Verdict
from judge.errors import CheckerBroken, JudgeBroken
from judge.queue import jobs
from judge.queue.workers import PASSED, SelfTest, WorkerInfo
from judge.worker import judge_job
from judge.worker.graders import Graders
from judge.worker.heartbeat import Heartbeat
from judge.worker.judge_job import JobJudge
from judge.worker.revisions import Revisions

ACCEPTED = ACCEPTED_SOURCE.decode()
WRONG = WRONG_SOURCE.decode()


@pytest.fixture
def court(database: Database, tmp_path: Path) -> Court:
    return Court(database, tmp_path)


def judge_with(court: Court, grader: FakeGrader, worker_id: str = "w1") -> JobJudge:
    layers = ("seccomp", "rlimits")
    info = WorkerInfo(worker_id, "host", 1, {}, "fake", layers, SelfTest(PASSED, {}))
    heartbeat = Heartbeat(
        court.database, lambda: None, lease_s=60.0, longest_pause_s=3600.0, on_hang=lambda: None
    )
    return JobJudge(
        court.database,
        court.bell,
        Graders(grader.make),
        Revisions(court.database),
        heartbeat,
        info,
    )


def breaks(times: int) -> FakeGrader:
    """A grader that breaks ``times`` times before it works."""
    failures = [JudgeBroken("the sandbox is gone")] * times

    def grade(problem, source, language, on_stage):
        if failures:
            raise failures.pop()
        return grade_by_source(problem, source, language, on_stage)

    return FakeGrader(grade)


def test_an_accepted_submission_is_recorded_with_every_case_and_its_score(court: Court) -> None:
    submitted = court.submit(ACCEPTED)
    judge_with(court, FakeGrader()).judge_next("python")
    row = court.judgement(submitted)
    assert (row["state"], row["verdict"], row["score_num"], row["score_den"]) == (
        "judged",
        "accepted",
        100,
        100,
    )
    assert len(court.results(submitted)) == 4
    assert [best["score_num"] for best in court.best_scores()] == [100]
    assert court.job(submitted)["state"] == "done"


def test_a_learners_failure_is_a_verdict(court: Court) -> None:
    submitted = court.submit(WRONG)
    judge_with(court, FakeGrader()).judge_next("python")
    assert court.judgement(submitted)["verdict"] == "wrong_answer"
    assert [best["score_num"] for best in court.best_scores()] == [0]


@pytest.mark.parametrize(
    ("report_every_s", "told"), [(0.0, ["compiling", "running"]), (3600.0, ["compiling"])]
)
def test_every_change_that_a_reader_can_see_rings(
    court: Court, monkeypatch: pytest.MonkeyPatch, report_every_s: float, told: list[str]
) -> None:
    """What is judged before anybody could look is not kept waiting for a report."""
    monkeypatch.setattr(judge_job, "REPORT_EVERY_S", report_every_s)
    with court.listening() as ear:
        submitted = court.submit(ACCEPTED)
        judge_with(court, FakeGrader()).judge_next("python")
        rung = [text for text in ear.heard() if text.startswith("submission:")]
    assert court.events(submitted) == ["queued", *told, "judged"]
    assert rung == [f"submission:{submitted.submission_id}"] * (len(told) + 1)


def test_an_empty_lane_is_no_fault(court: Court) -> None:
    judge_with(court, FakeGrader()).judge_next("python")


@pytest.mark.parametrize("source", [ACCEPTED, WRONG])
def test_a_judgement_says_in_which_tier_and_layers_it_was_made(court: Court, source: str) -> None:
    submitted = court.submit(source)
    judge_with(court, FakeGrader()).judge_next("python")
    toolchain = court.judgement(submitted)["toolchain"]
    assert toolchain == {"tier": "fake", "layers": "seccomp,rlimits"}


def test_so_does_one_that_the_judge_itself_failed(court: Court) -> None:
    submitted = court.submit(ACCEPTED)
    judge_with(court, breaks(2)).judge_next("python")
    toolchain = court.judgement(submitted)["toolchain"]
    assert toolchain == {
        "tier": "fake",
        "layers": "seccomp,rlimits",
        "fault": "the sandbox is gone",
    }


def test_a_fault_of_the_judge_gets_one_more_try_with_a_fresh_sandbox(court: Court) -> None:
    submitted = court.submit(ACCEPTED)
    grader = breaks(1)
    judge_with(court, grader).judge_next("python")
    assert court.judgement(submitted)["verdict"] == "accepted"
    assert (grader.opened, grader.closed) == (2, 1)


def test_two_faults_are_an_internal_error_that_costs_nothing(court: Court) -> None:
    broken, next_one = court.submit(ACCEPTED), court.submit(ACCEPTED)
    judge = judge_with(court, breaks(2))
    judge.judge_next("python")
    row = court.judgement(broken)
    assert (row["verdict"], row["reason"], row["score_num"]) == (
        "internal_error",
        "judge_fault",
        None,
    )
    assert court.best_scores() == []
    assert court.job(broken)["losses"] == 0
    judge.judge_next("python")
    assert court.judgement(next_one)["verdict"] == "accepted"
    assert [best["submissions"] for best in court.best_scores()] == [1]


def test_a_checker_that_breaks_fails_the_whole_submission_at_once_and_costs_nothing(
    court: Court,
) -> None:
    def grade(problem, source, language, on_stage):
        on_stage("running", 3, 4)
        raise CheckerBroken("check.py on secret/20-edges/01: ZeroDivisionError")

    submitted = court.submit(WRONG)
    grader = FakeGrader(grade)
    judge_with(court, grader).judge_next("python")
    row = court.judgement(submitted)
    assert (row["verdict"], row["score_num"], row["tests_done"]) == ("internal_error", None, 0)
    assert (court.results(submitted), court.best_scores()) == ([], [])
    assert (grader.opened, grader.closed) == (1, 0)


@pytest.mark.parametrize("failure", [MemoryError(), ValueError("a bug of ours"), OSError(28, "")])
def test_no_exception_while_grading_becomes_a_verdict_on_the_learner(
    court: Court, failure: Exception
) -> None:
    def grade(*_):
        raise failure

    submitted = court.submit(WRONG)
    judge_with(court, FakeGrader(grade)).judge_next("python")
    assert court.judgement(submitted)["verdict"] == "internal_error"


def test_a_stage_that_cannot_be_written_does_not_stop_the_grading(court: Court) -> None:
    def grade(problem, source, language, on_stage):
        on_stage("no such stage", 0, 4)
        return grade_by_source(problem, source, language, on_stage)

    submitted = court.submit(ACCEPTED)
    judge_with(court, FakeGrader(grade)).judge_next("python")
    assert court.judgement(submitted)["verdict"] == "accepted"


def test_a_result_that_comes_after_the_claim_was_lost_is_not_written(court: Court) -> None:
    second = judge_with(court, FakeGrader(), "second")

    def frozen(problem, source, language, on_stage):
        """The other worker judges the same submission while this one stands still."""
        age_leases(court.database)
        second.judge_next("python")
        return grade_by_source(problem, WRONG_SOURCE, language, on_stage)

    submitted = court.submit(ACCEPTED)
    judge_with(court, FakeGrader(frozen), "first").judge_next("python")
    row = court.judgement(submitted)
    assert (row["verdict"], row["state"]) == ("accepted", "judged")
    assert court.events(submitted)[-1] == "judged"
    assert len(court.results(submitted)) == 4
    assert [(best["score_num"], best["submissions"]) for best in court.best_scores()] == [(100, 1)]


def test_a_judgement_that_cannot_be_true_is_our_fault_at_once(court: Court) -> None:
    def strange(problem, *_):
        """A judgement of cases that the revision does not have."""
        case = CaseResult(id="secret/never/1", verdict=Verdict.ACCEPTED)
        return Judgement(
            Verdict.ACCEPTED, Reason.NONE, Score(100, 100), CompileResult(ok=True), (case,)
        )

    submitted = court.submit(ACCEPTED)
    judge_with(court, FakeGrader(strange)).judge_next("python")
    assert court.job(submitted)["state"] == "done"
    assert court.judgement(submitted)["verdict"] == "internal_error"
    assert court.results(submitted) == []
    assert court.best_scores() == []


def test_a_result_that_cannot_be_written_is_tried_again_and_in_the_end_our_fault(
    court: Court, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_):
        raise OSError("the disk is full")

    monkeypatch.setattr(judge_job, "record", broken)
    submitted = court.submit(ACCEPTED)
    judge = judge_with(court, FakeGrader())
    for _ in range(3):
        with pytest.raises(OSError, match="disk is full"):
            judge.judge_next("python")
    assert court.job(submitted)["state"] == "parked"
    judge.judge_next("python")
    assert court.judgement(submitted)["verdict"] == "internal_error"
    assert court.best_scores() == []


def test_whoever_looks_at_the_lane_records_what_was_lost_three_times(court: Court) -> None:
    lost, waiting = court.submit(ACCEPTED), court.submit(ACCEPTED)
    court.set_losses(lost, 2)
    assert jobs.claim(court.database, ("python",), "dead", 60.0) is not None
    age_leases(court.database)
    judge = judge_with(court, FakeGrader())
    with court.listening() as ear:
        judge.judge_next("python")
        judge.judge_next("python")
        assert f"submission:{lost.submission_id}" in ear.heard()
    assert court.judgement(lost)["verdict"] == "internal_error"
    assert court.judgement(waiting)["verdict"] == "accepted"
    assert [best["submissions"] for best in court.best_scores()] == [1]


def test_revisions_are_loaded_before_anybody_asks_and_only_once(court: Court) -> None:
    revisions = Revisions(court.database)
    revisions.warm(lambda: False)
    revision_id = str(court.judgement(court.submit(ACCEPTED))["revision_id"])
    warmed = revisions.problem(revision_id)
    assert warmed.slug == "count_large"
    assert revisions.problem(revision_id) is warmed
