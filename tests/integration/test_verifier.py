"""The verifier proves uploads with a real grader, in its own time, and loses none."""

from dataclasses import replace
from pathlib import Path

import pytest
from db_world import learner
from package_builder import REFERENCE, load_package
from sqlalchemy import select
from verifier_room import GENERATOR, verifying, wait_until

from judge.actions.verification import LANE, Uploaded, is_open, store_upload
from judge.db.engine import Database
from judge.db.queries.problems import Revision, select_revision
from judge.db.tables import job
from judge.domain.access import Caller, Role
from judge.packages.content import content_of
from judge.packages.package import Package
from judge.queue import jobs, losses


def package(**changes: str) -> Package:
    return load_package({"generators/cases.py": GENERATOR, **changes})


def as_teacher(database: Database) -> Caller:
    return replace(learner(database, "sensei"), role=Role.TEACHER)


@pytest.fixture
def teacher(database: Database) -> Caller:
    return as_teacher(database)


def upload(database: Database, one: Package, uploader: Caller) -> Uploaded:
    return store_upload(database, content_of(one), uploader, most_open=3)


def revision_of(database: Database, uploaded: Uploaded) -> Revision:
    with database.read() as connection:
        return select_revision(connection, uploaded.revision_id)


def is_running(database: Database, uploaded: Uploaded) -> bool:
    with database.read() as connection:
        return is_open(connection, uploaded.revision_id)


def codes(found: Revision) -> set[str]:
    assert found.verify_report is not None
    return {one["code"] for one in found.verify_report["findings"]}


@pytest.mark.slow
def test_uploads_are_proved_or_not_one_after_the_other(
    sqlite_database: Database, tmp_path: Path
) -> None:
    database, teacher = sqlite_database, as_teacher(sqlite_database)
    wrong = package(**{"reference.py": REFERENCE.replace(">", ">=")})
    uploads = [upload(database, one, teacher) for one in (package(), wrong)]
    with verifying(database, tmp_path):
        for one in uploads:
            wait_until(lambda one=one: not is_running(database, one))
    good, bad = (revision_of(database, one) for one in uploads)
    assert (good.verify_state, bad.verify_state) == ("proved", "failed")
    assert good.verify_report is not None
    assert good.verify_report["mutants"]["killed"] > 0
    assert good.verify_report["fresh_inputs"] == 200
    assert "reference-differs" in codes(bad)


def test_a_proof_that_takes_too_long_is_stopped_and_said(
    database: Database, teacher: Caller, tmp_path: Path
) -> None:
    uploaded = upload(database, package(), teacher)
    with verifying(database, tmp_path, longest_proof_s=0.0):
        wait_until(lambda: not is_running(database, uploaded))
    found = revision_of(database, uploaded)
    assert (found.verify_state, codes(found)) == ("failed", {"proof-too-long"})


def test_one_that_is_told_to_stop_gives_its_job_back(
    sqlite_database: Database, tmp_path: Path
) -> None:
    uploaded = upload(sqlite_database, package(), as_teacher(sqlite_database))

    def state() -> str:
        with sqlite_database.read() as connection:
            return connection.scalar(select(job.c.state)) or ""

    with verifying(sqlite_database, tmp_path):
        wait_until(lambda: state() == "claimed")
    assert state() in {"queued", "done"}
    if state() == "queued":
        assert revision_of(sqlite_database, uploaded).verify_state == "pending"


def test_one_that_was_lost_three_times_is_told_and_not_tried_again(
    database: Database, teacher: Caller, tmp_path: Path
) -> None:
    uploaded = upload(database, package(), teacher)
    for _ in range(losses.MAX_LOSSES):
        claim = jobs.claim(database, (LANE,), "another", 60.0)
        assert claim is not None
        losses.lose(database, claim.job_id, claim.attempt)
    with verifying(database, tmp_path):
        wait_until(lambda: revision_of(database, uploaded).verify_state == "failed")
    assert codes(revision_of(database, uploaded)) == {"judge-fault"}


def test_an_upload_that_nobody_takes_is_noticed(database: Database, teacher: Caller) -> None:
    assert not jobs.is_left_waiting(database, LANE, 0.0)
    upload(database, package(), teacher)
    assert jobs.is_left_waiting(database, LANE, 0.0)
    assert not jobs.is_left_waiting(database, LANE, 3600.0)
    assert jobs.claim(database, (LANE,), "verifier", 60.0) is not None
    assert not jobs.is_left_waiting(database, LANE, 0.0)
