"""Workers: a rejudge's jobs, and revisions that are published while they run."""

from pathlib import Path

import pytest
from package_builder import case_texts, load_package
from queue_rows import age_leases
from worker_fakes import WRONG_SOURCE, FakeGrader, judged
from worker_rows import Court

from judge.actions.publish import publish
from judge.actions.rejudge import cancel_rejudge, start_rejudge
from judge.actions.rejudge_apply import apply_rejudge
from judge.db.engine import Database
from judge.db.tables import event, rejudge_item
from judge.db.tables import judgement as judgement_table
from judge.domain.problem import Problem
from judge.domain.rejudging import Selector
from judge.domain.submission import Judgement
from judge.domain.verdicts import Reason, Verdict
from judge.packages.proof import Proof
from judge.queue.jobs import claim
from judge.queue.workers import PASSED, SelfTest, WorkerInfo
from judge.worker.graders import Graders
from judge.worker.heartbeat import Heartbeat
from judge.worker.judge_job import JobJudge
from judge.worker.revisions import Revisions

SLUG = "count_large"
SOURCE = WRONG_SOURCE.decode()
NEW_TESTS = case_texts("secret/10-basic/02", [9.0], 1.0, 1)


@pytest.fixture
def court(database: Database, tmp_path: Path) -> Court:
    return Court(database, tmp_path)


def generous(problem: Problem, _source: bytes, _language: str, on_stage) -> Judgement:
    """Says how far it is, and accepts everything if the tests are the new ones."""
    on_stage("compiling", 0, len(problem.cases))
    on_stage("running", 1, len(problem.cases))
    is_new = any(case.arguments["values"] == [9.0] for case in problem.cases)
    verdict = Verdict.ACCEPTED if is_new else Verdict.WRONG_ANSWER
    return judged(problem, verdict, Reason.NONE if is_new else Reason.WRONG_VALUE)


def worker(court: Court, name: str, grader: FakeGrader | None = None) -> JobJudge:
    info = WorkerInfo(name, "host", 1, {}, "fake", ("seccomp",), SelfTest(PASSED, {}))
    heartbeat = Heartbeat(
        court.database, lambda: None, lease_s=60.0, longest_pause_s=3600.0, on_hang=lambda: None
    )
    graders = Graders((grader or FakeGrader(generous)).make)
    return JobJudge(court.database, court.bell, graders, Revisions(court.database), heartbeat, info)


def publish_new_tests(court: Court, scores: str) -> None:
    package = load_package(NEW_TESTS)
    proof = Proof(package.content_hash, "test", 1, 1, len(package.problem.cases))
    publish(court.database, package, proof, scores)


def test_both_workers_judge_on_what_is_published_meanwhile(court: Court) -> None:
    workers = [worker(court, "one"), worker(court, "two")]
    for one in workers:
        one.revisions.warm(lambda: False)
        before = court.submit(SOURCE)
        one.judge_next("python")
        assert court.judgement(before)["verdict"] == "wrong_answer"
    publish_new_tests(court, "keep")
    for one in workers:
        after = court.submit(SOURCE)
        one.judge_next("python")
        assert court.judgement(after)["verdict"] == "accepted"


def test_two_workers_bring_a_rejudge_to_its_end(court: Court) -> None:
    first, second = worker(court, "one"), worker(court, "two")
    for _ in range(2):
        court.submit(SOURCE)
        first.judge_next("python")
    publish_new_tests(court, "rejudge_all")
    first.judge_next("python")
    assert [best["score_num"] for best in court.best_scores()] == [0]
    second.judge_next("python")
    assert [best["score_num"] for best in court.best_scores()] == [100]


def test_who_follows_a_submission_hears_nothing_of_a_preview(court: Court, monkeypatch) -> None:
    monkeypatch.setattr("judge.worker.judge_job.REPORT_EVERY_S", 0.0)
    court.submit(SOURCE)
    judge = worker(court, "one")
    judge.judge_next("python")
    told = court._rows(event, True)
    start_rejudge(court.database, None, SLUG, Selector())
    judge.judge_next("python")
    assert court._rows(event, True) == told


def test_what_was_cancelled_is_not_graded(court: Court) -> None:
    def grade(*_):
        raise AssertionError("graded although it was cancelled")

    court.submit(SOURCE)
    worker(court, "one").judge_next("python")
    started = start_rejudge(court.database, None, SLUG, Selector())
    assert claim(court.database, ["python"], "gone", 60) is not None
    cancel_rejudge(court.database, None, started.rejudge_id)
    age_leases(court.database)
    worker(court, "two", FakeGrader(grade)).judge_next("python")
    rows = court._rows(judgement_table, judgement_table.c.cause == "rejudge")
    assert [row["state"] for row in rows] == ["cancelled"]


def test_a_fault_of_the_judge_is_a_result_of_nobody(court: Court) -> None:
    def grade(*_):
        raise OSError("broken")

    court.submit(SOURCE)
    worker(court, "one").judge_next("python")
    started = start_rejudge(court.database, None, SLUG, Selector())
    worker(court, "two", FakeGrader(grade)).judge_next("python")
    apply_rejudge(court.database, None, started.rejudge_id, allow_decrease=True)
    assert [row["decision"] for row in court._rows(rejudge_item, True)] == ["failed"]
    assert [best["score_num"] for best in court.best_scores()] == [0]


def test_three_losses_are_a_fault_of_the_judge(court: Court) -> None:
    court.submit(SOURCE)
    judge = worker(court, "one")
    judge.judge_next("python")
    publish_new_tests(court, "rejudge_all")
    for _ in range(3):
        claim(court.database, ["python"], "gone", 60)
        age_leases(court.database)
    judge.judge_next("python")
    judge.judge_next("python")
    assert [row["decision"] for row in court._rows(rejudge_item, True)] == ["failed"]
    assert [best["score_num"] for best in court.best_scores()] == [0]
