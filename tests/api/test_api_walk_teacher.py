"""A teacher's walk with a real verifier: upload, read the report, mend, publish, correct."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from api_world import SLUG, World, hidden_failure, judgement_of
from judge_data import require_java
from package_builder import JUDGE_YAML, PROBLEM_YAML, REFERENCE, STATEMENTS, package_files
from queue_rows import add_account
from sqlalchemy import Table, select
from starlette.testclient import TestClient
from verifier_room import GENERATOR, verifying

from judge.actions.score_check import find_differences
from judge.db.tables import audit_log, notice
from judge.domain.submission import Judgement
from judge.domain.verdicts import Reason, Verdict
from judge.harness.languages import JAVA, PYTHON
from judge.packages.files import PackageFiles, to_zip

# Its parts run always: test_api_uploads, test_verifier, test_publish_policies.
pytestmark = pytest.mark.slow
NAME = "count_more"
IMPORT = "/api/v1/admin/problems:import"
JAVA_SOURCE = """class Solution {
    static long count_more(double[] values, double limit) {
        long count = 0;
        for (double value : values) if (value > limit) count++;
        return count;
    }
}
"""
EXPECTATIONS = "accepted: {required: [AC]}\nwrong_answer: {required: [WA]}\n"
WRONG_JAVA = JAVA_SOURCE.replace("return count;", "return values.length == 1 ? 1 : count;")


def named(text: str) -> str:
    return text.replace(SLUG, NAME)


def package(**changes: str) -> PackageFiles:
    """A problem of the teacher's own in Python and Java, with some files changed."""
    files = {
        "judge.yaml": named(JUDGE_YAML),
        "problem.yaml": PROBLEM_YAML.replace("[python3]", "[python3, java]"),
        "reference.py": named(REFERENCE),
        "generators/cases.py": GENERATOR,
        "submissions/accepted/loop.py": named(REFERENCE),
        "submissions/accepted/Loop.java": JAVA_SOURCE,
        "submissions/wrong_answer/not_strict.py": named(REFERENCE).replace(">", ">="),
        "submissions/submissions.yaml": EXPECTATIONS,
    }
    return package_files({**files, **changes})


class Staff:
    """What the walk does over REST."""

    def __init__(self, world: World, who: str) -> None:
        self._world = world
        self._who = who

    @property
    def client(self) -> TestClient:
        """The one client, with this account's credentials."""
        return self._world.client(self._who)

    def upload(self, files: PackageFiles) -> Any:
        headers = {"Content-Type": "application/zip"}
        return self.client.post(IMPORT, content=to_zip(files), headers=headers)

    def verified(self, answer: Any) -> dict[str, Any]:
        """The verification of an upload when it has ended."""
        path = f"/api/v1/admin/revisions/{answer.json()['revision']}/verify"
        while (shown := self.client.get(path, params={"wait": 30}).json())["is_running"]:
            pass
        return dict(shown)

    def publish(self, answer: Any, **scores: Any) -> Any:
        path = f"/api/v1/admin/revisions/{answer.json()['revision']}/publish"
        return self.client.post(path, json=scores)


@pytest.fixture
def _verifier(world: World) -> Iterator[None]:
    require_java()
    with verifying(world.database, world.settings.data_dir, (PYTHON, JAVA)):
        yield


def found(shown: dict[str, Any]) -> dict[str, dict[str, str]]:
    return {one["code"]: one for one in shown["report"]["findings"]}


@pytest.mark.usefixtures("_verifier")
def test_from_a_wrong_package_to_a_corrected_one(world: World) -> None:
    teacher = Staff(world, "teacher")
    # A Java solution that is wrong on one test.
    answer = teacher.upload(package(**{"submissions/accepted/Loop.java": WRONG_JAVA}))
    assert answer.status_code == 202, answer.text
    shown = teacher.verified(answer)
    assert shown["verify_state"] == "failed"
    said = found(shown)["accepted-rejected"]
    assert said["where"] == "submissions/accepted/Loop.java"
    assert "secret/20-edges/01 (Edges \u00b7 1)" in said["message"]
    assert "expected 0, got 1" in said["message"]
    assert teacher.publish(answer).json()["code"] == "not-verified"

    # A flattened formula, and one explanation under two locales: refused with file and line.
    flattened = STATEMENTS["en"].replace("$x > 2$", "exp(z_i / T) and \u221ax")
    broken = teacher.upload(package(**{"statement/problem.en.md": flattened}))
    assert (broken.status_code, broken.json()["code"]) == (422, "package-invalid")
    places = {one["code"]: one["where"] for one in broken.json()["findings"]}
    assert places["flattened-formula"].startswith("statement/problem.en.md:1")

    # A wrong solution that no test catches.
    survivor = teacher.upload(package(**{"submissions/wrong_answer/same.py": named(REFERENCE)}))
    said = found(teacher.verified(survivor))["wrong-accepted"]
    assert said["where"] == "submissions/wrong_answer/same.py"

    # Mended: proved, published, and there at once, for the teacher's own.
    right = teacher.upload(package())
    shown = teacher.verified(right)
    assert (shown["verify_state"], shown["report"]["passed"]) == ("proved", True), shown
    assert teacher.publish(right).json()["is_new"] is True
    assert teacher.client.get(f"/api/v1/problems/{NAME}").status_code == 200
    assert world.client("learner").get(f"/api/v1/problems/{NAME}").status_code == 404


def outcomes(world: World, right: int, wrong: int) -> list[Judgement]:
    """Judgements with all points and with 40 of 100, as a worker would record them."""
    failure = hidden_failure(Verdict.WRONG_ANSWER, reason=Reason.WRONG_VALUE)
    full, partial = judgement_of(world.package), judgement_of(world.package, {failure.id: failure})
    return [full] * right + [partial] * wrong


def gradebook(world: World, handles: Sequence[str]) -> dict[str, float]:
    """Each learner's score, which the learner's progress must agree with."""
    found = {}
    for handle in handles:
        client = world.client(handle)
        (row,) = client.get("/api/v1/scores").json()["items"]
        progress = client.get("/api/v1/me/progress").json()
        (problem,) = progress["by_problem"]
        assert row["score"] == problem["score"] == progress["points"]
        assert problem["solved"] == (row["score"] == row["max_score"])
        found[handle] = row["score"]
    return found


def rows(world: World, table: Table) -> list[dict[str, Any]]:
    with world.database.read() as connection:
        found = connection.execute(select(table).order_by(table.c.id))
        return [dict(row._mapping) for row in found]


class Correction:
    """The admin's part of a correction over REST."""

    def __init__(self, world: World) -> None:
        self._world = world

    @property
    def _admin(self) -> TestClient:
        return self._world.client("admin")

    def preview(self, submissions: Sequence[str], results: Sequence[Judgement]) -> str:
        """Begin a rejudge and judge all of it, in order of submission; its address."""
        begun = self._admin.post("/api/v1/admin/rejudges", json={"problem": SLUG})
        assert (begun.status_code, begun.json()["submissions"]) == (201, len(submissions))
        assert [self._world.judge_next(each) for each in results] == list(submissions)
        return str(begun.headers["location"])

    def summary(self, path: str) -> dict[str, Any]:
        shown = self._admin.get(path, params={"allow_decrease": True}).json()
        assert (shown["state"], shown["pending"]) == ("preview", 0)
        return dict(shown["summary"])

    def end(self, path: str, how: str) -> Any:
        body = {"allow_decrease": True} if how == "apply" else {}
        return self._admin.post(f"{path}/{how}", json=body)


def publish_the_correction(admin: Staff) -> None:
    """A new revision with another expected value; it needs a word on earlier scores."""
    answer = admin.upload(package_files({"generators/cases.py": GENERATOR}))
    assert answer.status_code == 202, answer.text
    assert admin.verified(answer)["verify_state"] == "proved"
    refused = admin.publish(answer)
    assert (refused.status_code, refused.json()["code"]) == (409, "needs-score-policy")
    assert admin.publish(answer, scores="keep").json()["is_new"] is True


def assert_told_once(world: World, handles: Sequence[str], rejudge_id: str) -> None:
    told = [(one["account_id"], one["kind"], one["ref"]) for one in rows(world, notice)]
    expected = [(world.accounts[handle], "rejudge", rejudge_id) for handle in handles]
    assert sorted(told) == sorted(expected)


def assert_audited(world: World, rejudge_id: str) -> None:
    """Who did it; what for: the revision that was published, and what that changed."""
    acts = {one["action"]: one for one in rows(world, audit_log)}
    for action in ("problem.publish", "rejudge.start", "rejudge.apply"):
        assert acts[action]["actor_id"] == world.accounts["admin"], action
    assert acts["problem.publish"]["after"]["scores"] == "keep"
    assert acts["rejudge.start"]["after"]["revision"] == 2
    applied = acts["rejudge.apply"]
    assert applied["target"] == f"rejudge:{rejudge_id}"
    counts = {name: applied["after"][name] for name in ("up", "down", "same")}
    assert counts == {"up": 3, "down": 1, "same": 16}


def assert_closed(answer: Any) -> None:
    assert (answer.status_code, answer.json()["code"]) == (409, "rejudge-closed")


@pytest.mark.usefixtures("_verifier")
def test_an_admin_corrects_an_expected_value_for_twenty_learners(world: World) -> None:
    """One hidden case expects what no right program returns, until it is corrected."""
    correction = Correction(world)
    handles = [f"learner-{number:02}" for number in range(1, 21)]
    world.accounts |= {handle: add_account(world.database, handle) for handle in handles}
    judged = outcomes(world, 0, 3) + outcomes(world, 1, 0) + outcomes(world, 8, 8)
    submissions = [
        world.submit_and_judge(result, handle)
        for handle, result in zip(handles, judged, strict=True)
    ]
    before = gradebook(world, handles)
    assert list(before.values()) == [40.0] * 3 + [100.0] + [100.0] * 8 + [40.0] * 8

    publish_the_correction(Staff(world, "admin"))
    corrected = outcomes(world, 3, 0) + outcomes(world, 0, 1) + outcomes(world, 8, 8)
    path = correction.preview(submissions, corrected)
    summary = correction.summary(path)
    assert (summary["up"], summary["down"], summary["same"]) == (3, 1, 16)
    changes = {one["handle"]: one["change"] for one in summary["accounts"]}
    assert [changes[handle] for handle in handles[:4]] == ["up", "up", "up", "down"]
    assert gradebook(world, handles) == before
    assert rows(world, notice) == []

    assert correction.end(path, "apply").json()["summary"] == summary
    after = gradebook(world, handles)
    changed = dict(zip(handles[:4], [100.0, 100.0, 100.0, 40.0], strict=True))
    assert after == before | changed
    assert_closed(correction.end(path, "apply"))
    assert_closed(correction.end(path, "cancel"))
    assert gradebook(world, handles) == after
    rejudge_id = path.rpartition("/rej_")[2]
    assert_told_once(world, handles[:4], rejudge_id)
    assert_audited(world, rejudge_id)

    # A second preview, which would take points from everybody who has all, is cancelled.
    second = correction.preview(submissions, outcomes(world, 0, 20))
    assert correction.summary(second)["down"] == 11
    assert correction.end(second, "cancel").json()["state"] == "cancelled"
    assert_closed(correction.end(second, "apply"))
    assert gradebook(world, handles) == after
    assert_told_once(world, handles[:4], rejudge_id)
    last = [one for one in rows(world, audit_log) if one["action"].startswith("rejudge.")][-1]
    assert (last["action"], last["actor_id"]) == ("rejudge.cancel", world.accounts["admin"])
    assert find_differences(world.database) == ()
