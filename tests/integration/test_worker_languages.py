"""A worker judges what its grader has, and says what its machine lacks."""

import threading
from pathlib import Path
from typing import NoReturn

import pytest
from sqlalchemy import select
from worker_fakes import FIXES, VERSIONS, FakeGrader, grade_by_source, judged
from worker_rows import PATIENCE_S, Court

from judge.db.engine import Database
from judge.db.queries.workers import LiveWorker, list_live_workers
from judge.db.tables import worker
from judge.db.types import now
from judge.domain.verdicts import Verdict
from judge.errors import JudgeBroken, Misconfigured
from judge.worker.loop import WorkerConfig, run


@pytest.fixture
def court(sqlite_database: Database, tmp_path: Path) -> Court:
    return Court(sqlite_database, tmp_path)


def run_until_introduced(court: Court, grader: FakeGrader) -> LiveWorker:
    """What a worker says of itself; it is stopped after that."""
    stop = threading.Event()
    arguments = (court.database, court.bell, grader.make, WorkerConfig("w1"), stop)
    with court.listening() as ear:
        thread = threading.Thread(target=run, args=arguments)
        thread.start()
        try:
            ear.wait_for_message("worker:w1")
            with court.database.read() as connection:
                (found,) = list_live_workers(connection, now())
        finally:
            stop.set()
            thread.join(PATIENCE_S)
    return found


def test_it_says_what_it_judges_and_what_its_machine_lacks(court: Court) -> None:
    found = run_until_introduced(court, FakeGrader(languages=("python", "cpp")))
    assert found.languages == {"python": VERSIONS["python"], "cpp": VERSIONS["cpp"]}
    assert found.missing == {"java": FIXES["java"]}
    assert (found.tier, found.layers, found.self_test) == ("fake", ["seccomp", "rlimits"], "passed")
    assert found.fix == "run it elsewhere"


def test_it_judges_what_it_found_without_being_told(court: Court) -> None:
    graded = threading.Event()

    def grade(problem, source, language, on_stage):
        if b"accepted" in source:
            graded.set()
        return grade_by_source(problem, source, language, on_stage)

    stop = threading.Event()
    grader = FakeGrader(grade, languages=("cpp", "python"))
    arguments = (court.database, court.bell, grader.make, WorkerConfig("w1"), stop)
    thread = threading.Thread(target=run, args=arguments)
    court.submit("def accepted(): ...")
    thread.start()
    try:
        assert graded.wait(PATIENCE_S)
    finally:
        stop.set()
        thread.join(PATIENCE_S)


def test_a_grader_for_a_language_that_is_missing_ends_the_worker(court: Court) -> None:
    def make() -> NoReturn:
        raise Misconfigured("Java 17 is missing; install it with: apt-get install …")

    with pytest.raises(Misconfigured, match="apt-get install"):
        run(court.database, court.bell, make, WorkerConfig("w1"), threading.Event())
    with court.database.read() as connection:
        assert connection.scalars(select(worker.c.id)).all() == []


def test_any_other_fault_of_the_grader_only_keeps_it_from_judging(court: Court) -> None:
    class Broken(FakeGrader):
        def languages(self) -> NoReturn:
            raise JudgeBroken("the toolchain is gone")

    found = run_until_introduced(court, Broken())
    assert (found.languages, found.missing, found.is_ready) == ({}, {}, False)


def test_one_language_that_fails_its_self_test_keeps_the_worker_from_judging(court: Court) -> None:
    def grade(problem, source, language, on_stage):
        if language == "cpp":
            return judged(problem, Verdict.ACCEPTED)
        return grade_by_source(problem, source, language, on_stage)

    found = run_until_introduced(court, FakeGrader(grade, languages=("python", "cpp")))
    assert (found.self_test, found.is_ready) == ("failed", False)
