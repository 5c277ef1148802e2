"""A learner who reads everything finds no byte of hidden data.

The problem's hidden case, and a judgement whose box said as much as it could, are full of canary
strings; every route is read with every role, in every format and locale.
"""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from api_world import (
    BOX_CANARIES,
    HIDDEN_ANSWER,
    HIDDEN_CANARIES,
    HIDDEN_LIMIT,
    HIDDEN_VALUE,
    LOCKED_CANARIES,
    SLUG,
    SOURCE,
    World,
    hidden_failure,
    judgement_of,
)
from class_world import ClassWorld
from starlette.testclient import TestClient

from judge.actions.export_data import make_next_export
from judge.actions.record import record_fault
from judge.actions.stage import set_stage
from judge.db.queries.judging import select_work
from judge.domain.submission import CaseResult
from judge.domain.verdicts import Reason, Verdict
from judge.queue.jobs import claim

LOCALES = ("vi", "ja", "en")
ACCEPTS = ("application/json", "application/x-ndjson", "text/csv")


@dataclass(frozen=True)
class Things:
    """Something of every kind that a route can name, all of it the learner's or an admin's."""

    names: Mapping[str, object]

    def paths(self, document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Every address that can be read, with its operation."""
        for route, methods in document["paths"].items():
            if "get" in methods:
                yield route.format(**self.names), methods["get"]


def populate(world: World, submission_id: str) -> Things:
    """A class with the learner in it; a run, a draft, an export, a rejudge, a thread of words."""

    def post(who: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = world.client(who).post(f"/api/v1{path}", json=body)
        assert answer.is_success, answer.text
        return dict(answer.json())

    problem = f"/problems/{SLUG}"
    school_class = post("admin", "/classes", {"name": "canary-class"})
    post("learner", "/classes/join", {"code": school_class["join_code"]})
    given = post("admin", f"/classes/{school_class['id']}/assignments", {"problem": SLUG})
    run = post("learner", f"{problem}/runs", {"language": "python", "source": "# canary-run"})
    thread = post("learner", f"{problem}/feedback", {"kind": "idea", "body": "canary-feedback"})
    messages = f"/feedback/{thread['id']}/messages"
    post("admin", messages, {"body": "canary-internal", "internal": True})
    draft = world.client("learner").put(
        f"/api/v1{problem}/drafts/python",
        json={"source": "# canary-draft"},
        headers={"If-None-Match": "*"},
    )
    assert draft.is_success, draft.text
    rejudge = post("admin", "/admin/rejudges", {"problem": SLUG})
    export = world.browser("learner").post("/api/v1/me/export", json={}).json()
    assert make_next_export(world.database, "a-housekeeper")
    return Things(
        {
            "slug": SLUG,
            "number": 1,
            "ordinal": 4,
            "language": "python",
            "submission_id": submission_id,
            "revision_id": f"rev_{world.published.revision_id}",
            "rejudge_id": rejudge["id"],
            "account_id": f"acc_{world.accounts['learner']}",
            "class_id": school_class["id"],
            "assignment_id": given["id"],
            "run_id": run["id"],
            "feedback_id": thread["id"],
            "export_id": export["id"],
        }
    )


def everything(world: World, who: str, submission_id: str, things: Things | None = None) -> str:
    """All that one account can read, by a token and in a browser: bodies and headers."""
    things = things or populate(world, submission_id)
    if who == "anonymous":
        return read_all(world.anonymous(), things)
    return "\n".join(read_all(one, things) for one in (world.client(who), world.browser(who)))


def read_all(client: TestClient, things: Things) -> str:
    """Every GET of the document, in each locale and format, and with what else it takes."""
    document = client.get("/api/v1/openapi.json").json()
    texts = []
    for path, operation in things.paths(document):
        known = {one["name"] for one in operation.get("parameters", ())}
        for locale, accept in zip(LOCALES, ACCEPTS, strict=True):
            params = {"locale": locale, **({"wait": 0} if "wait" in known else {})}
            answer = client.get(path, params=params, headers={"Accept": accept})
            assert answer.status_code != 422, (path, answer.text)
            texts += [answer.text, str(answer.headers)]
    for extra in ("/solution", "/hints/2", "/hints/3", "/hints/0"):
        texts.append(client.get(f"/api/v1/problems/{SLUG}{extra}").text)
    for path in (
        "/submissions?account=*",
        "/submissions?account=learner",
        f"/submissions?class={things.names['class_id']}",
        "/scores?account=learner",
        f"/scores?class={things.names['class_id']}",
        f"/problems/{SLUG}?revision={things.names['revision_id']}",
        "/admin/accounts?q=learner",
        f"/feedback?problem={SLUG}",
    ):
        texts.append(client.get(f"/api/v1{path}").text)
    return "\n".join(texts)


# Words of the learner's that nobody but admins and the own teachers may read.
OWN_CANARIES = ("canary-run", "canary-feedback", "canary-draft")


def found(text: str, canaries: tuple[str, ...]) -> list[str]:
    return [canary for canary in canaries if canary in text]


@pytest.mark.parametrize(
    "verdict",
    [
        Verdict.WRONG_ANSWER,
        Verdict.RUNTIME_ERROR,
        Verdict.TIME_LIMIT_EXCEEDED,
        Verdict.MEMORY_LIMIT_EXCEEDED,
        Verdict.OUTPUT_LIMIT_EXCEEDED,
        Verdict.ACCEPTED,
        Verdict.SKIPPED,
    ],
)
def test_the_owner_finds_nothing_of_the_box(
    world: World, caplog: pytest.LogCaptureFixture, verdict: Verdict
) -> None:
    caplog.set_level(logging.DEBUG)
    case = hidden_failure(verdict)
    result = judgement_of(world.package, {case.id: case})
    submission_id = world.submit_and_judge(result)
    text = everything(world, "learner", submission_id)
    assert submission_id in text
    assert found(text, HIDDEN_CANARIES + BOX_CANARIES) == []
    # Nor does the log tell whoever reads it, of this or of the solution and the sources.
    written = caplog.text + "".join(str(record.__dict__) for record in caplog.records)
    assert found(written, HIDDEN_CANARIES + BOX_CANARIES + LOCKED_CANARIES + OWN_CANARIES) == []


def test_the_owner_sees_a_verdict_a_reason_a_title_and_a_hint(world: World) -> None:
    case = hidden_failure()
    submission_id = world.submit_and_judge(judgement_of(world.package, {case.id: case}))
    answer = world.client("learner").get(f"/api/v1/submissions/{submission_id}?locale=en").json()
    assert answer["cases"][-1] == {
        "ordinal": 4,
        "title": "Edges · 1",
        "group": "secret/20-edges",
        "visibility": "reveal_on_fail",
        "verdict": "runtime_error",
        "verdict_title": "Runtime error",
        "reason": "exception",
        "reason_title": "An exception was raised",
        "hint": "Read step 2 again",
        "error": None,
        "detail": None,
    }
    assert (answer["cpu_ms"], answer["memory_kb"]) == (7, 4096)


def test_a_built_in_exception_is_told_without_its_line(world: World) -> None:
    case = hidden_failure(error_class="IndexError", error_line=2)
    submission_id = world.submit_and_judge(judgement_of(world.package, {case.id: case}))
    answer = world.client("learner").get(f"/api/v1/submissions/{submission_id}").json()
    assert answer["cases"][-1]["error"] == {"name": "IndexError", "line": 0}


def test_a_sample_shows_everything(world: World) -> None:
    sample = CaseResult(
        "sample/01",
        Verdict.WRONG_ANSWER,
        Reason.WRONG_VALUE,
        message="expected 2, got 3",
        returned=3,
        has_returned=True,
        stdout="debug",
    )
    submission_id = world.submit_and_judge(judgement_of(world.package, {sample.id: sample}))
    answer = world.client("learner").get(f"/api/v1/submissions/{submission_id}").json()
    detail = answer["cases"][0]["detail"]
    assert detail["arguments"] == {"values": [1.0, 2.0, 3.0], "limit": 1.0}
    assert (detail["expected"], detail["returned"]) == (2, "3")
    assert (detail["message"], detail["stdout"]) == ("expected 2, got 3", "debug")


@pytest.mark.parametrize(
    ("owner", "who", "note"),
    [
        ("learner", "learner", ""),
        ("learner", "admin", "canary-note"),
        ("teacher", "teacher", "canary-note"),
    ],
)
def test_what_a_checker_noted_on_a_sample_is_for_staff(
    world: World, owner: str, who: str, note: str
) -> None:
    sample = CaseResult("sample/01", Verdict.WRONG_ANSWER, Reason.WRONG_VALUE, note="canary-note")
    result = judgement_of(world.package, {sample.id: sample})
    submission_id = world.submit_and_judge(result, owner)
    answer = world.client(who).get(f"/api/v1/submissions/{submission_id}").json()
    assert answer["cases"][0]["detail"]["note"] == note


def test_of_a_checker_that_broke_a_learner_hears_neither_the_case_nor_a_word(world: World) -> None:
    world.submit("learner")
    held = claim(world.database, ["python"], "test-worker", 30)
    assert held is not None
    assert set_stage(world.database, held, "running", 3, 4)
    with world.database.read() as connection:
        submission_id = f"sub_{select_work(connection, held.ref_id).submission_id}"
    assert record_fault(
        world.database, held, f"check.py on secret/20-edges/01: canary-message {HIDDEN_VALUE}"
    )
    text = everything(world, "learner", submission_id)
    assert found(text, (*HIDDEN_CANARIES, *BOX_CANARIES, "check.py")) == []
    answer = world.client("learner").get(f"/api/v1/submissions/{submission_id}").json()
    assert (answer["verdict"], answer["reason"]) == ("internal_error", "judge_fault")
    assert (answer["cases"], answer["tests_done"], answer["score"]) == ([], 0, None)
    assert answer["tests"] == {"passed": 0, "total": 4}


@pytest.mark.parametrize(
    ("who", "owner"), [("teacher", "teacher"), ("admin", "admin"), ("admin", "learner")]
)
def test_staff_see_hidden_cases_where_they_may_read_at_all(
    world: World, who: str, owner: str
) -> None:
    case = hidden_failure()
    result = judgement_of(world.package, {case.id: case})
    submission_id = world.submit_and_judge(result, owner)
    answer = world.client(who).get(f"/api/v1/submissions/{submission_id}").json()
    detail = answer["cases"][-1]["detail"]
    assert detail["arguments"] == {"values": [HIDDEN_VALUE], "limit": HIDDEN_LIMIT}
    assert detail["expected"] == HIDDEN_ANSWER
    assert (detail["stdout"], detail["note"]) == ("canary-stdout", "canary-note")
    assert answer["cases"][-1]["error"] == {"name": "CanaryError", "line": 1414213}


def test_a_teacher_finds_nothing_of_somebody_elses_result(world: World) -> None:
    case = hidden_failure()
    submission_id = world.submit_and_judge(judgement_of(world.package, {case.id: case}))
    text = everything(world, "teacher", submission_id)
    assert found(text, (*BOX_CANARIES, *OWN_CANARIES, "canary-class", "canary-internal")) == []
    assert SOURCE.splitlines()[1] not in text


@pytest.mark.parametrize("who", ["anonymous", "other"])
def test_who_has_not_submitted_finds_no_solution_and_no_others_work(world: World, who: str) -> None:
    case = hidden_failure()
    submission_id = world.submit_and_judge(judgement_of(world.package, {case.id: case}))
    text = everything(world, who, submission_id)
    canaries = HIDDEN_CANARIES + BOX_CANARIES + LOCKED_CANARIES + OWN_CANARIES
    assert found(text, (*canaries, "canary-class", "canary-internal")) == []
    assert SOURCE.splitlines()[1] not in text


def test_the_answer_to_a_submission_holds_no_hidden_data(world: World) -> None:
    answer = world.client("learner").post(
        f"/api/v1/problems/{SLUG}/submissions?wait=0",
        json={"language": "python", "source": SOURCE},
    )
    assert found(answer.text, HIDDEN_CANARIES + LOCKED_CANARIES) == []


def test_texts_that_a_database_cannot_keep_are_cleaned(world: World) -> None:
    sample = CaseResult(
        "sample/01", Verdict.WRONG_ANSWER, Reason.WRONG_VALUE, stdout="a\0b\ud800c" + "x" * 9000
    )
    submission_id = world.submit_and_judge(judgement_of(world.package, {sample.id: sample}))
    answer = world.client("learner").get(f"/api/v1/submissions/{submission_id}").json()
    shown = answer["cases"][0]["detail"]["stdout"]
    assert shown.startswith("a\ufffdb?cxxx")
    assert shown.endswith("x…")


def test_the_owner_reads_the_own_work_and_no_note_of_staff(world: World) -> None:
    submission_id = world.submit_and_judge(judgement_of(world.package))
    text = everything(world, "learner", submission_id)
    assert found(text, ("canary-feedback", "canary-draft")) == ["canary-feedback", "canary-draft"]
    assert found(text, ("canary-internal", *HIDDEN_CANARIES)) == []


def test_of_what_a_draft_and_a_run_hold_not_even_an_admin_reads(world: World) -> None:
    submission_id = world.submit_and_judge(judgement_of(world.package))
    text = everything(world, "admin", submission_id)
    assert found(text, ("canary-feedback", "canary-internal")) == [
        "canary-feedback",
        "canary-internal",
    ]
    assert found(text, ("canary-run", "canary-draft")) == []


def test_a_teacher_reads_what_a_member_did_and_stops_when_the_member_leaves(world: World) -> None:
    case = hidden_failure()
    submission_id = world.submit_and_judge(judgement_of(world.package, {case.id: case}))
    teacher = world.client("teacher")
    school_class = teacher.post("/api/v1/classes", json={"name": "Decoding"}).json()
    path = f"/api/v1/classes/{school_class['id']}"
    submission = f"/api/v1/submissions/{submission_id}"
    code = {"code": school_class["join_code"]}
    assert world.client("learner").post("/api/v1/classes/join", json=code).is_success
    # The class was given nothing yet.
    assert world.client("teacher").get(submission).status_code == 404
    given = world.client("teacher").post(f"{path}/assignments", json={"problem": SLUG})
    assert given.is_success
    shown = world.client("teacher").get(submission).json()
    assert shown["cases"][-1]["detail"]["expected"] == HIDDEN_ANSWER
    assert world.client("teacher").get(f"{submission}/source").text == SOURCE
    assert world.client("learner").post(f"{path}/leave", json={}).is_success
    assert world.client("teacher").get(submission).status_code == 404
    assert world.client("teacher").get(f"{submission}/source").status_code == 404


@pytest.mark.parametrize("state", ["member", "invited"])
def test_who_is_in_the_same_class_finds_nothing_of_the_others(world: World, state: str) -> None:
    room = ClassWorld(world)
    given = room.assign()
    case = hidden_failure()
    submission_id = world.submit_and_judge(judgement_of(world.package, {case.id: case}))
    if state == "member":
        room.join("other")
    else:
        room.put("handle\nother\n")
    things = populate(world, submission_id)
    names = {**things.names, "class_id": room.id, "assignment_id": given["id"]}
    text = everything(world, "other", submission_id, Things(names))
    assert room.id in text
    canaries = HIDDEN_CANARIES + BOX_CANARIES + LOCKED_CANARIES + OWN_CANARIES
    assert found(text, canaries) == []
    for foreign in (SOURCE.splitlines()[1], world.accounts["learner"], "acc_"):
        assert foreign not in text.replace(f"acc_{world.accounts['other']}", "")
