"""Exports: a job like any other, whose zip holds what its account may read and no byte more."""

import io
import json
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from db_world import SLUG, hand_in, publish_builder, take
from erasure_world import CANARY, add_person
from queue_rows import add_account
from sqlalchemy import insert, select, update

from judge.actions import export_archive, export_data
from judge.actions.answer_feedback import NewMessage, answer_feedback
from judge.actions.export_archive import build_archive
from judge.actions.export_data import make_next_export, request_export
from judge.actions.give_feedback import NewFeedback, give_feedback
from judge.actions.record import record
from judge.db.engine import Database
from judge.db.queries.own_data import read_archive, select_export
from judge.db.tables import data_export, draft, job, problem
from judge.db.types import now
from judge.domain.access import Caller, Role
from judge.domain.feedback import FeedbackKind
from judge.domain.scoring import Score
from judge.domain.submission import CaseResult, CompileResult, Judgement
from judge.domain.verdicts import Reason, Verdict
from judge.errors import Conflict, NotFound, TooMany
from judge.queue.losses import MAX_LOSSES

PATHS = ("sample/01", "secret/10-basic/01", "secret/10-basic/02", "secret/20-edges/01")


@pytest.fixture
def person(database: Database) -> Caller:
    publish_builder(database)
    return add_person(database)


def noisy(path: str, mark: str) -> CaseResult:
    return CaseResult(
        path,
        Verdict.WRONG_ANSWER,
        Reason.WRONG_VALUE,
        message=f"{mark}-message",
        error_class=f"{mark}Error",
        returned=4711,
        has_returned=True,
        stdout=f"{mark}-stdout",
        stderr=f"{mark}-stderr",
        note="hidden-note",
    )


def judge(database: Database) -> None:
    """The sample and the hidden cases say as much as they can."""
    cases = (noisy(PATHS[0], "shown"), *(noisy(path, "hidden") for path in PATHS[1:]))
    result = Judgement(
        Verdict.WRONG_ANSWER, Reason.WRONG_VALUE, Score(0, 100), CompileResult(True), cases
    )
    assert record(database, take(database), result)


def export(database: Database, caller: Caller) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(build_archive(database, caller.account_id)))


def texts(archive: zipfile.ZipFile) -> dict[str, str]:
    return {name: archive.read(name).decode() for name in archive.namelist()}


def state(database: Database, export_id: str) -> str:
    with database.read() as connection:
        found = connection.scalar(select(data_export.c.state).where(data_export.c.id == export_id))
    return str(found)


def test_the_zip_holds_sources_results_scores_and_words(database: Database, person: Caller) -> None:
    submitted = hand_in(database, person, "x = 'é'\n")
    judge(database)
    thread = give_feedback(database, person, NewFeedback(SLUG, FeedbackKind.IDEA, "my words", "en"))
    staff = Caller(person.account_id, "", Role.ADMIN)
    answer_feedback(database, staff, NewMessage(thread, "hidden-note of staff", is_internal=True))
    with database.write() as connection:
        connection.execute(
            insert(draft).values(
                account_id=person.account_id,
                problem_id=connection.scalar(select(problem.c.id)),
                language="cpp",
                source="int x;",
                etag="x",
                updated_at=now(),
            )
        )
    found = texts(export(database, person))
    assert found[f"submissions/{SLUG}/sub_{submitted.submission_id}.py"] == "x = 'é'\n"
    assert found[f"drafts/{SLUG}.cpp"] == "int x;"
    account = json.loads(found["account.json"])
    assert (account["id"], account["handle"]) == (f"acc_{person.account_id}", person.handle)
    assert (account["email"], account["sources_left_out"]) == (f"{CANARY}@example.org", 0)
    (one,) = json.loads(found["judgements.json"])
    assert one["submission"] == f"sub_{submitted.submission_id}"
    (judged,) = one["judgements"]
    assert (judged["verdict"], judged["score"], judged["max_score"]) == ("wrong_answer", 0.0, 100)
    (score,) = json.loads(found["scores.json"])
    assert (score["problem"], score["score"]) == (SLUG, 0.0)
    (words,) = json.loads(found["feedback.json"])
    assert [message["body"] for message in words["messages"]] == ["my words"]
    assert json.loads(found["unlocks.json"]) == []


@pytest.mark.parametrize("role", ["learner", "admin"])
def test_of_hidden_cases_there_is_a_verdict_and_no_byte_more(
    database: Database, person: Caller, role: str
) -> None:
    with database.write() as connection:
        connection.exec_driver_sql(f"UPDATE account SET role = '{role}'")  # noqa: S608
    hand_in(database, person)
    judge(database)
    found = texts(export(database, person))
    everything = "\n".join(found.values())
    assert "shown-stdout" in everything
    for hidden in (
        "hidden-message",
        "hiddenError",
        "hidden-stdout",
        "hidden-stderr",
        "hidden-note",
    ):
        assert hidden not in everything
    cases = json.loads(found["judgements.json"])[0]["judgements"][0]["cases"]
    assert [case["verdict"] for case in cases] == ["wrong_answer"] * 4
    assert [case.get("returned") for case in cases] == ["4711", None, None, None]


def test_nobody_elses_work_is_in_it(database: Database, person: Caller) -> None:
    other = Caller(add_account(database, "other"), "other", Role.LEARNER)
    hand_in(database, other, "secret_of_other = 1\n")
    give_feedback(database, other, NewFeedback(SLUG, FeedbackKind.IDEA, "words of other", "en"))
    everything = "\n".join(texts(export(database, person)).values())
    assert "of other" not in everything
    assert "secret_of_other" not in everything


def test_an_account_without_anything_gets_empty_lists(database: Database, person: Caller) -> None:
    found = texts(export(database, person))
    assert json.loads(found["judgements.json"]) == []
    assert json.loads(found["scores.json"]) == []


def test_pages_lose_and_double_nothing(
    database: Database, person: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export_archive, "_PAGE", 2)
    ids = {hand_in(database, person).submission_id for _ in range(5)}
    found = texts(export(database, person))
    listed = [one["submission"] for one in json.loads(found["judgements.json"])]
    assert sorted(listed) == sorted(f"sub_{one}" for one in ids)
    assert len([name for name in found if name.startswith("submissions/")]) == 5


def test_sources_past_the_limit_are_counted(
    database: Database, person: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export_archive, "MAX_SOURCES_BYTES", 1)
    for _ in range(3):
        hand_in(database, person)
    found = texts(export(database, person))
    assert json.loads(found["account.json"])["sources_left_out"] == 2
    assert len(json.loads(found["judgements.json"])) == 3


def test_one_at_a_time_and_three_a_day(database: Database, person: Caller) -> None:
    first = request_export(database, person.account_id)
    with pytest.raises(Conflict, match="export-open") as refused:
        request_export(database, person.account_id)
    assert refused.value.details["export"] == first
    ids = [first]
    for _ in range(2):
        assert make_next_export(database, "a")
        ids.append(request_export(database, person.account_id))
    assert make_next_export(database, "a")
    with pytest.raises(TooMany, match="too-many-exports") as many:
        request_export(database, person.account_id)
    assert 86_000 < many.value.seconds <= 86_400
    assert not make_next_export(database, "a")
    with database.read() as connection:
        assert select_export(connection, person.account_id, ids[-1], now()).state == "ready"
        for earlier in ids[:-1]:
            assert read_archive(connection, earlier) is None
            with pytest.raises(NotFound):
                select_export(connection, person.account_id, earlier, now())


def test_an_export_that_breaks_is_tried_again_and_fails_at_last(
    database: Database, person: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    export_id = request_export(database, person.account_id)

    def fail(*_: object) -> bytes:
        raise RuntimeError("in the middle")

    with monkeypatch.context() as patch:
        patch.setattr(export_data, "build_archive", fail)
        for _ in range(MAX_LOSSES):
            assert state(database, export_id) == "queued"
            with pytest.raises(RuntimeError):
                make_next_export(database, "a")
        make_next_export(database, "a")
    assert state(database, export_id) == "failed"
    request_export(database, person.account_id)
    assert make_next_export(database, "a")


def test_a_maker_that_was_lost_writes_nothing(
    database: Database, person: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    export_id = request_export(database, person.account_id)
    build = export_data.build_archive

    def overtaken(*arguments: Any) -> bytes:
        with database.write() as connection:
            late = now() - timedelta(seconds=1)
            connection.execute(update(job).values(lease_until=late))
        monkeypatch.setattr(export_data, "build_archive", build)
        assert make_next_export(database, "b")
        return b"of the one that was lost"

    monkeypatch.setattr(export_data, "build_archive", overtaken)
    make_next_export(database, "a")
    with database.read() as connection:
        archive = read_archive(connection, export_id)
    assert archive is not None
    assert zipfile.is_zipfile(io.BytesIO(archive))
