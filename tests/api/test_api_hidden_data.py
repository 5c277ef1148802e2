"""A learner who reads everything finds no byte of hidden data.

The problem's hidden case, and a judgement whose box said as much as it could, are full of canary
strings; every route is read with every role, in every format and locale.
"""

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

from judge.actions.record import record_fault
from judge.actions.stage import set_stage
from judge.db.queries.judging import select_work
from judge.domain.submission import CaseResult
from judge.domain.verdicts import Reason, Verdict
from judge.queue.jobs import claim

LOCALES = ("vi", "ja", "en")
ACCEPTS = ("application/json", "application/x-ndjson", "text/csv")


def everything(world: World, who: str, submission_id: str) -> str:
    """All that one account can read: bodies and headers of every GET, and of its own POSTs."""
    client = world.anonymous() if who == "anonymous" else world.client(who)
    document = client.get("/api/v1/openapi.json").json()
    texts = []
    for route, methods in document["paths"].items():
        if "get" not in methods:
            continue
        path = route.format(
            slug=SLUG,
            number=1,
            language="python",
            submission_id=submission_id,
            revision_id=f"rev_{world.published.revision_id}",
            rejudge_id="rej_" + "0" * 32,
            account_id=f"acc_{world.accounts['learner']}",
            run_id="run_" + "0" * 32,
            class_id="cls_" + "0" * 32,
            assignment_id="asg_" + "0" * 32,
            feedback_id="fbk_" + "0" * 32,
            export_id="exp_" + "0" * 32,
        )
        for locale, accept in zip(LOCALES, ACCEPTS, strict=True):
            answer = client.get(
                path, params={"locale": locale, "wait": 0}, headers={"Accept": accept}
            )
            texts += [answer.text, str(answer.headers)]
    for extra in ("/solution", "/hints/2", "/hints/3", "/hints/0"):
        texts.append(client.get(f"/api/v1/problems/{SLUG}{extra}").text)
    for path in ("/api/v1/submissions?account=*", "/api/v1/scores?account=learner"):
        texts.append(client.get(path).text)
    return "\n".join(texts)


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
def test_the_owner_finds_nothing_of_the_box(world: World, verdict: Verdict) -> None:
    case = hidden_failure(verdict)
    result = judgement_of(world.package, {case.id: case})
    submission_id = world.submit_and_judge(result)
    text = everything(world, "learner", submission_id)
    assert submission_id in text
    assert found(text, HIDDEN_CANARIES + BOX_CANARIES) == []


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


def test_a_built_in_exception_and_a_line_of_the_own_file_are_told(world: World) -> None:
    case = hidden_failure(error_class="IndexError", error_line=2)
    submission_id = world.submit_and_judge(judgement_of(world.package, {case.id: case}))
    answer = world.client("learner").get(f"/api/v1/submissions/{submission_id}").json()
    assert answer["cases"][-1]["error"] == {"name": "IndexError", "line": 2}


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
    assert found(text, BOX_CANARIES) == []
    assert SOURCE.splitlines()[1] not in text


@pytest.mark.parametrize("who", ["anonymous", "other"])
def test_who_has_not_submitted_finds_no_solution_and_no_others_work(world: World, who: str) -> None:
    case = hidden_failure()
    submission_id = world.submit_and_judge(judgement_of(world.package, {case.id: case}))
    text = everything(world, who, submission_id)
    assert found(text, HIDDEN_CANARIES + BOX_CANARIES + LOCKED_CANARIES) == []
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
