"""A teacher's walk with a real verifier: upload, read the report, mend, publish, correct."""

from collections.abc import Iterator
from typing import Any

import pytest
from api_world import SLUG, World, judgement_of
from judge_data import require_java
from package_builder import JUDGE_YAML, PROBLEM_YAML, REFERENCE, STATEMENTS, package_files
from sqlalchemy import select
from starlette.testclient import TestClient
from verifier_room import GENERATOR, verifying

from judge.db.tables import audit_log
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


@pytest.mark.usefixtures("_verifier")
def test_an_admin_corrects_a_test_and_says_what_becomes_of_scores(world: World) -> None:
    admin = Staff(world, "admin")
    world.submit_and_judge(judgement_of(world.package))
    files = package_files(
        {
            "generators/cases.py": GENERATOR.replace("[3.0], 3.0", "[3.0, 1.0], 3.0"),
            "data/secret/20-edges/01.in": '{\n  "values": [3.0, 1.0],\n  "limit": 3.0\n}\n',
        }
    )
    answer = admin.upload(files)
    assert answer.status_code == 202, answer.text
    assert admin.verified(answer)["verify_state"] == "proved"
    refused = admin.publish(answer)
    assert (refused.status_code, refused.json()["code"]) == (409, "needs-score-policy")
    assert admin.publish(answer, scores="keep").json()["is_new"] is True
    begun = admin.client.post("/api/v1/admin/rejudges", json={"problem": SLUG}).json()
    world.judge_next(judgement_of(world.package))
    path = f"/api/v1/admin/rejudges/{begun['id']}"
    summary = admin.client.get(path).json()["summary"]
    assert summary["same"] == 1
    assert admin.client.post(f"{path}/apply", json={}).status_code == 200
    with world.database.read() as connection:
        acts = set(connection.scalars(select(audit_log.c.action)))
    assert {"problem.publish", "rejudge.apply"} <= acts
