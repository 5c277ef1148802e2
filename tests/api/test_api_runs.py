"""Runs through the API: private, scoreless, short-lived, and refused before anything is stored."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from api_world import (
    HIDDEN_CANARIES,
    LOCKED_CANARIES,
    SLUG,
    SOURCE,
    World,
    add_worker,
    canary_package,
    publish_package,
)
from package_builder import JUDGE_YAML
from queue_rows import age_leases
from sqlalchemy import delete, func, select, update
from worker_fakes import FakeGrader, judged

from judge.actions.publish import publish
from judge.actions.record_run import set_run_state
from judge.actions.runs import NewRun, start_run
from judge.db.tables import best_score, event, job, judgement, run, submission, unlock
from judge.db.types import now
from judge.domain.access import Caller, Role
from judge.domain.problem import Problem
from judge.domain.submission import CompileResult
from judge.domain.verdicts import Reason, Verdict
from judge.errors import JudgeBroken, TooMany
from judge.i18n import LOCALES, catalogue
from judge.packages.files import PackageFiles, read_folder
from judge.packages.package import load
from judge.packages.proof import Proof
from judge.queue import jobs
from judge.queue.workers import PASSED, SelfTest, WorkerInfo
from judge.worker import loop
from judge.worker.graders import Graders
from judge.worker.heartbeat import Heartbeat
from judge.worker.judge_job import JobJudge
from judge.worker.revisions import Revisions

PATH = f"/api/v1/problems/{SLUG}/runs"
BODY = {"language": "python", "source": SOURCE}
OWN = {"values": [1.0, 5.0], "limit": 2.0}


class NoTools:
    """A validator that takes everything, and a reference that answers 4."""

    def validate(self, source: str, arguments: object) -> None:
        return None

    def refer(self, source: str, arguments: object) -> tuple[int]:
        return (4,)


class Tried(FakeGrader):
    """A grader that remembers which cases it was given."""

    def __init__(self, verdict: Verdict = Verdict.ACCEPTED, fault: bool = False) -> None:
        super().__init__(self._grade)
        self.seen: list[Problem] = []
        self._verdict, self._fault = verdict, fault

    def _grade(self, problem: Problem, source: bytes, _language: str, _on_stage: Any) -> Any:
        self.seen.append(problem)
        if self._fault:
            raise JudgeBroken("the sandbox is gone")
        return judged(problem, self._verdict)

    @contextmanager
    def open_tools(self, signature: object) -> Iterator[NoTools]:
        yield NoTools()


def work(world: World, grader: FakeGrader) -> JobJudge:
    info = WorkerInfo("w", "host", 1, {}, "fake", (), SelfTest(PASSED, {}))
    heartbeat = Heartbeat(
        world.database, lambda: None, lease_s=60.0, longest_pause_s=3600.0, on_hang=lambda: None
    )
    return JobJudge(
        world.database,
        world.app.state.parts.bell,
        Graders(grader.make),
        Revisions(world.database),
        heartbeat,
        info,
    )


def begin(world: World, **body: Any) -> Any:
    return world.client("learner").post(PATH, json={**BODY, **body})


def counts(world: World) -> dict[str, int]:
    tables = (submission, judgement, best_score, event, unlock)
    with world.database.read() as connection:
        return {
            table.name: connection.scalar(select(func.count()).select_from(table)) or 0
            for table in tables
        }


def jobs_of_runs(world: World) -> int:
    with world.database.read() as connection:
        return connection.scalar(select(func.count()).select_from(job)) or 0


def test_a_run_on_samples_is_queued_run_and_read(world: World) -> None:
    begun = begin(world)
    assert begun.status_code == 201, begun.text
    told = begun.json()
    assert (told["state"], told["queue_position"], told["cases"]) == ("queued", 1, [])
    assert begun.headers["location"] == f"/api/v1/runs/{told['id']}"
    grader = Tried()
    work(world, grader).judge_next("python")
    read = world.client("learner").get(begun.headers["location"]).json()
    assert (read["state"], read["verdict"], read["verdict_title"]) == (
        "judged",
        "accepted",
        "Accepted",
    )
    (case,) = read["cases"]
    assert (case["number"], case["title"], case["expected"]) == (1, "Sample 1", 2)
    assert case["arguments"] == {"values": [1.0, 2.0, 3.0], "limit": 1.0}


@pytest.mark.parametrize("cases", ["samples", [OWN]])
def test_no_hidden_case_comes_near_a_run(world: World, cases: Any) -> None:
    begun = begin(world, cases=cases, reference=True).json()
    grader = Tried(Verdict.WRONG_ANSWER)
    work(world, grader).judge_next("python")
    (problem,) = grader.seen
    assert not any(case.id.startswith("secret/") for case in problem.cases)
    assert not [canary for canary in HIDDEN_CANARIES if canary in repr(problem)]
    text = world.client("learner").get(f"/api/v1/runs/{begun['id']}").text
    assert not [one for one in (*HIDDEN_CANARIES, *LOCKED_CANARIES) if one in text]


def test_a_run_stores_no_submission_gives_no_score_and_opens_nothing(world: World) -> None:
    before = counts(world)
    begin(world)
    work(world, Tried()).judge_next("python")
    assert counts(world) == before
    client = world.client("learner")
    assert client.get(f"/api/v1/problems/{SLUG}/hints/1").json()["code"] == "hints-locked"
    assert client.get(f"/api/v1/problems/{SLUG}/solution").json()["code"] == "solution-locked"
    assert client.get("/api/v1/scores").json()["items"] == []
    assert client.get(f"/api/v1/problems/{SLUG}").json()["my"]["submissions"] == 0


def test_own_input_that_got_a_value_has_no_verdict(world: World) -> None:
    begun = begin(world, cases=[OWN, {**OWN, "limit": "NaN"}], reference=True).json()
    work(world, Tried()).judge_next("python")
    read = world.client("learner").get(f"/api/v1/runs/{begun['id']}?locale=vi").json()
    assert (read["verdict"], [case["verdict"] for case in read["cases"]]) == (None, [None, None])
    assert [case["title"] for case in read["cases"]] == [
        "Dữ liệu tự nhập 1",
        "Dữ liệu tự nhập 2",
    ]
    assert read["cases"][1]["arguments"] == {"values": [1.0, 5.0], "limit": "NaN"}
    assert [case["reference"] for case in read["cases"]] == ["4", "4"]


def test_waiting_brings_what_came_of_it(world: World) -> None:
    def work_when_rung() -> None:
        listener = world.app.state.parts.bell.open()
        ready.set()
        listener.setblocking(True)
        listener.settimeout(30)
        assert listener.recv(256) == b"lane:python"
        work(world, Tried()).judge_next("python")
        world.app.state.parts.bell.close(listener)

    client, ready = world.client("learner"), threading.Event()
    with ThreadPoolExecutor() as threads:
        worker = threads.submit(work_when_rung)
        assert ready.wait(30)
        told = client.post(f"{PATH}?wait=60", json=BODY).json()
        worker.result()
    assert told["state"] == "judged"


BAD: list[tuple[dict[str, Any], int, str, str | None]] = [
    ({"cases": [{**OWN, "limit": "three"}]}, 422, "bad-arguments", "/cases/0/limit"),
    (
        {"cases": [OWN, {"values": [1.0, "x"], "limit": 1}]},
        422,
        "bad-arguments",
        "/cases/1/values/1",
    ),
    ({"cases": [{**OWN, "k": 1}]}, 422, "bad-arguments", "/cases/0/k"),
    ({"cases": [{**OWN, "a/b~": 1}]}, 422, "bad-arguments", "/cases/0/a~1b~0"),
    ({"cases": [{"values": []}]}, 422, "bad-arguments", "/cases/0/limit"),
    ({"cases": ["x"]}, 422, "bad-arguments", "/cases/0"),
    ({"cases": []}, 422, "bad-arguments", "/cases"),
    ({"cases": "all"}, 422, "bad-arguments", "/cases"),
    ({"cases": None}, 422, "bad-arguments", "/cases"),
    ({"cases": {}}, 422, "bad-arguments", "/cases"),
    ({"cases": [OWN] * 11}, 413, "too-many-cases", "/cases"),
    ({"cases": [{"values": [1.5] * 20_000, "limit": 1}]}, 413, "cases-too-large", "/cases"),
    ({"source": "x" * 70_000}, 413, "source-too-large", "/source"),
    ({"source": "a\0b"}, 422, "invalid-source", "/source"),
    ({"language": "rust"}, 422, "language-not-offered", "/language"),
    ({"reference": "yes please"}, 422, "invalid-request", "/reference"),
    ({"case": []}, 422, "invalid-request", "/case"),
]


@pytest.mark.parametrize(("changes", "status", "code", "pointer"), BAD)
def test_what_cannot_be_run_is_refused_and_never_queued(
    world: World, changes: dict[str, Any], status: int, code: str, pointer: str | None
) -> None:
    refused = begin(world, **changes)
    assert (refused.status_code, refused.json()["code"]) == (status, code), refused.text
    flaws = refused.json().get("errors", [])
    assert (flaws[0]["pointer"] if flaws else None) == pointer
    assert jobs_of_runs(world) == 0


@pytest.mark.parametrize("locale", LOCALES)
def test_every_wrong_argument_is_named_in_one_language(world: World, locale: str) -> None:
    cases = [{"values": [1, None], "k": 2}, OWN, {"limit": [], "values": {}}]
    refused = world.client("learner").post(f"{PATH}?locale={locale}", json={**BODY, "cases": cases})
    assert (refused.status_code, refused.json()["code"]) == (422, "bad-arguments")
    texts = catalogue(locale)
    names = "values, limit"
    kind = texts["field.argument.kind"]
    assert [(one["pointer"], one["message"]) for one in refused.json()["errors"]] == [
        ("/cases/0/k", texts["field.argument.unknown"].format(names=names)),
        ("/cases/0/limit", texts["field.argument.missing"]),
        ("/cases/0/values/1", kind.format(expected="float", found="null")),
        ("/cases/2/values", texts["field.argument.array"].format(found="object")),
        ("/cases/2/limit", kind.format(expected="float", found="array")),
    ]
    assert {one["code"] for one in refused.json()["errors"]} == {"argument"}


def test_of_very_many_wrong_arguments_some_are_named(world: World) -> None:
    refused = begin(world, cases=[{f"x{number}": 0 for number in range(5000)}])
    assert refused.status_code == 422
    assert len(refused.json()["errors"]) == 50


def test_half_a_character_in_a_name_is_written_out(world: World) -> None:
    body = b'{"language": "python", "source": "", "cases": [{"\\ud800": 1}]}'
    headers = {"Content-Type": "application/json"}
    refused = world.client("learner").post(PATH, content=body, headers=headers)
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["pointer"] == "/cases/0/\\ud800"


def test_numbers_that_json_does_not_know_are_kept_as_words(world: World) -> None:
    body = b'{"language": "python", "source": "", "cases": [{"values": [NaN], "limit": -Infinity}]}'
    headers = {"Content-Type": "application/json"}
    assert world.client("learner").post(PATH, content=body, headers=headers).status_code == 201
    with world.database.read() as connection:
        stored = connection.scalar(select(run.c.inputs))
    assert stored["cases"] == [{"values": ["NaN"], "limit": "-Infinity"}]


def test_the_reference_answers_only_where_the_package_says_so(world: World) -> None:
    closed = JUDGE_YAML.replace("custom_input: {reference: true}", "custom_input: {}")
    publish_package(world.database, canary_package({"judge.yaml": closed}), "keep")
    refused = begin(world, cases=[OWN], reference=True)
    assert (refused.status_code, refused.json()["code"]) == (422, "reference-not-offered")
    teacher = world.client("teacher")
    body = {**BODY, "cases": [OWN], "reference": True}
    assert teacher.post(PATH, json=body).status_code == 201


def test_a_distribution_takes_no_own_input(world: World) -> None:
    folder = Path(__file__).parents[1] / "grading" / "packages" / "dist_sampler"
    files = dict(read_folder(folder))
    files |= {f"statement/problem.{locale}.md": b"$p$\n" for locale in ("vi", "ja", "en")}
    text = files["judge.yaml"].decode()
    files["judge.yaml"] = text.replace("visibility: draft", "visibility: public").encode()
    package = load(PackageFiles(files), "dist_sampler")
    values = {case.id: 18.5 for case in package.problem.cases}
    publish(world.database, package, Proof(package.content_hash, "test", 3, 7, 4, values))
    path, client = PATH.replace(SLUG, "dist_sampler"), world.client("learner")
    body = {**BODY, "cases": [{"probs": [1.0], "uniforms": [0.5]}]}
    assert client.post(path, json=body).json()["code"] == "own-input-not-offered"
    assert client.post(path, json=BODY).status_code == 201


def test_a_language_that_no_machine_can_run_is_refused_at_once(world: World) -> None:
    both = canary_package(
        {
            "problem.yaml": canary_package()
            .files["problem.yaml"]
            .replace(b"[python3]", b"[python3, cpp]")
        }
    )
    publish_package(world.database, both)
    add_worker(world.database, missing=("cpp",))
    refused = begin(world, language="cpp")
    assert (refused.status_code, refused.json()["code"]) == (409, "language-unavailable")


def test_only_its_owner_reads_a_run_and_only_for_a_day(world: World) -> None:
    run_id = begin(world).json()["id"]
    path = f"/api/v1/runs/{run_id}"
    for who in ("other", "teacher", "admin"):
        assert world.client(who).get(path).json()["code"] == "run-not-found"
    assert world.client("learner").get(path).status_code == 200
    with world.database.write() as connection:
        connection.execute(update(run).values(expires_at=now() - timedelta(seconds=1)))
    assert world.client("learner").get(path).json()["code"] == "run-not-found"


def test_a_fault_of_the_judge_fails_the_run_with_a_sentence(world: World) -> None:
    run_id = begin(world).json()["id"]
    work(world, Tried(fault=True)).judge_next("python")
    read = world.client("learner").get(f"/api/v1/runs/{run_id}").json()
    assert (read["state"], read["verdict"], read["cases"]) == ("failed", None, [])
    assert read["notice"] == "The judge could not make this run. It is not your fault; try again."
    assert "sandbox" not in str(read)


def test_a_run_that_was_lost_three_times_has_failed(world: World) -> None:
    run_id = begin(world).json()["id"]
    for _ in range(3):
        assert jobs.claim(world.database, ("python",), "dead", 60.0) is not None
        age_leases(world.database)
    judge = work(world, Tried())
    judge.judge_next("python")
    judge.judge_next("python")
    assert world.client("learner").get(f"/api/v1/runs/{run_id}").json()["state"] == "failed"


def test_a_result_that_comes_after_the_claim_was_lost_is_not_written(world: World) -> None:
    second = work(world, Tried(Verdict.ACCEPTED))

    class Frozen(Tried):
        def _grade(self, problem: Problem, source: bytes, language: str, on_stage: Any) -> Any:
            age_leases(world.database)
            second.judge_next("python")
            return judged(problem, Verdict.WRONG_ANSWER, Reason.WRONG_VALUE)

    run_id = begin(world).json()["id"]
    work(world, Frozen()).judge_next("python")
    read = world.client("learner").get(f"/api/v1/runs/{run_id}").json()
    assert (read["state"], read["verdict"]) == ("judged", "accepted")


def test_a_worker_that_stops_gives_a_run_back(world: World) -> None:
    run_id = begin(world).json()["id"]
    held = jobs.claim(world.database, ("python",), "w", 60.0)
    assert held is not None
    heartbeat = work(world, Tried()).heartbeat
    assert set_run_state(world.database, held, "running")
    with heartbeat.holding(held):
        loop._give_back(world.database, world.app.state.parts.bell, heartbeat)
    assert world.client("learner").get(f"/api/v1/runs/{run_id}").json()["state"] == "queued"
    assert not set_run_state(world.database, held, "running")
    work(world, Tried()).judge_next("python")
    assert world.client("learner").get(f"/api/v1/runs/{run_id}").json()["state"] == "judged"


def test_a_run_that_was_deleted_meanwhile_ends_without_a_trace(world: World) -> None:
    begin(world)
    with world.database.write() as connection:
        connection.execute(delete(run))
    grader = Tried()
    work(world, grader).judge_next("python")
    assert grader.seen == []
    with world.database.read() as connection:
        assert connection.scalar(select(job.c.state)) == "done"


def test_a_source_that_does_not_compile_shows_the_compilers_words(world: World) -> None:
    class DoesNotCompile(Tried):
        def _grade(self, problem: Problem, source: bytes, language: str, on_stage: Any) -> Any:
            failed = CompileResult(False, "line 1: invalid syntax", Reason.SYNTAX)
            whole = judged(problem, Verdict.WRONG_ANSWER)
            changes = {"verdict": Verdict.COMPILE_ERROR, "reason": Reason.SYNTAX}
            return type(whole)(**{**vars(whole), **changes, "compile": failed, "cases": ()})

    run_id = begin(world, cases=[OWN]).json()["id"]
    work(world, DoesNotCompile()).judge_next("python")
    read = world.client("learner").get(f"/api/v1/runs/{run_id}").json()
    assert (read["verdict"], read["compile"]["log"]) == ("compile_error", "line 1: invalid syntax")
    assert [case["verdict"] for case in read["cases"]] == [None]


def test_four_runs_of_an_account_wait_at_once(world: World) -> None:
    caller = Caller(world.accounts["learner"], "learner", Role.LEARNER)

    def ask(_: int) -> object:
        try:
            return start_run(world.database, caller, NewRun(SLUG, "python", SOURCE))
        except TooMany as error:
            return error

    with ThreadPoolExecutor(8) as threads:
        came = list(threads.map(ask, range(12)))
    assert sum(isinstance(one, TooMany) for one in came) == 8
    refused = begin(world)
    assert (refused.status_code, refused.json()["code"]) == (429, "too-many-runs")
    assert refused.headers["retry-after"] == "2"
    work(world, Tried()).judge_next("python")
    assert begin(world).status_code == 201
    assert world.client("other").post(PATH, json=BODY).status_code == 201


def test_who_runs_very_often_waits_in_line_with_submissions(world: World) -> None:
    judge = work(world, Tried())
    for _ in range(7):
        assert begin(world).status_code == 201
        judge.judge_next("python")
    with world.database.read() as connection:
        told = list(connection.scalars(select(job.c.priority).order_by(job.c.created_at)))
    assert told == [jobs.RUN] * 6 + [jobs.SUBMIT]


def test_a_token_needs_the_scopes_of_submissions(world: World) -> None:
    reader = world.client("learner", "submissions:read")
    refused = reader.post(PATH, json=BODY)
    assert (refused.status_code, refused.json()["needed"]) == (403, ["submissions:write"])
