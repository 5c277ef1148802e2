"""Uploading packages: what is stored, what is refused, whose it is, and that a proof is earned."""

import io
import tarfile
from typing import Any

import pytest
from api_world import SLUG, World, canary_package, proof_of, set_role
from kattis_packages import CURRENT_YAML, imported
from package_builder import JUDGE_YAML, package_files
from sqlalchemy import delete, func, select

from judge.actions.verification import LANE, record_fault, record_report
from judge.db.tables import job, revision
from judge.domain.scoring import MAX_POINTS
from judge.packages.archives import read_archive
from judge.packages.files import PROOF_NAME, PackageFiles, to_zip
from judge.packages.proof import write_proof
from judge.queue import jobs

IMPORT = "/api/v1/admin/problems:import"
OTHER_NAME = {"judge.yaml": JUDGE_YAML.replace("name: count_large", "name: my_problem")}


def other_package() -> PackageFiles:
    """One that the world does not have yet."""
    return canary_package(OTHER_NAME).files


def upload(world: World, who: str, blob: bytes, **parameters: Any) -> Any:
    headers = {"Content-Type": "application/octet-stream"}
    return world.client(who).post(IMPORT, content=blob, headers=headers, params=parameters)


def stored(world: World) -> int:
    with world.database.read() as connection:
        return connection.scalar(select(func.count()).select_from(revision)) or 0


def claim(world: World) -> jobs.Claim:
    found = jobs.claim(world.database, (LANE,), "verifier", 60.0)
    assert found is not None
    return found


def report(world: World, answer: Any, *, passed: bool) -> dict[str, Any]:
    """What a verifier would write of an uploaded revision."""
    with world.database.read() as connection:
        content_hash = connection.scalar(
            select(revision.c.content_hash).where(
                revision.c.id == answer.json()["revision"].removeprefix("rev_")
            )
        )
    return {"passed": passed, "content_hash": content_hash, "findings": []}


def as_tar(files: PackageFiles) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for path, content in files.items():
            info = tarfile.TarInfo(f"my_problem/{path}")
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


@pytest.mark.parametrize("make", [to_zip, as_tar], ids=["zip", "tar.gz"])
def test_a_package_is_stored_and_waits_to_be_verified(world: World, make: Any) -> None:
    answer = upload(world, "teacher", make(other_package()))
    seen = answer.json()
    assert (answer.status_code, seen["slug"], seen["number"]) == (202, "my_problem", 1)
    assert (seen["verify_state"], seen["is_known"]) == ("pending", False)
    shown = world.client("teacher").get(f"/api/v1/admin/revisions/{seen['revision']}/verify")
    assert (shown.json()["is_running"], shown.json()["report"]) == (True, None)
    assert world.anonymous().get("/api/v1/problems/my_problem").status_code == 404


def test_it_is_published_when_it_was_proved_and_not_before(world: World) -> None:
    answer = upload(world, "admin", to_zip(other_package()))
    path = f"/api/v1/admin/revisions/{answer.json()['revision']}"
    admin = world.client("admin")
    early = admin.post(f"{path}/publish", json={})
    assert (early.status_code, early.json()["code"]) == (409, "not-verified")
    assert "still being verified" in early.json()["detail"]
    assert record_report(
        world.database, claim(world), report(world, answer, passed=True), passed=True
    )
    shown = admin.get(f"{path}/verify").json()
    assert (shown["verify_state"], shown["is_running"]) == ("proved", False)
    assert admin.post(f"{path}/publish").json()["is_new"] is True
    assert world.anonymous().get("/api/v1/problems/my_problem").status_code == 200


def test_a_report_with_an_error_keeps_it_from_being_published(world: World) -> None:
    answer = upload(world, "admin", to_zip(other_package()))
    path = f"/api/v1/admin/revisions/{answer.json()['revision']}"
    record_report(world.database, claim(world), report(world, answer, passed=False), passed=False)
    admin = world.client("admin")
    assert admin.get(f"{path}/verify").json()["verify_state"] == "failed"
    refused = admin.post(f"{path}/publish", json={}).json()
    assert refused["code"] == "not-verified"
    assert "did not pass" in refused["detail"]


def test_what_nobody_asked_to_verify_says_so(world: World) -> None:
    answer = upload(world, "admin", to_zip(other_package()))
    with world.database.write() as connection:
        connection.execute(delete(job))
    path = f"/api/v1/admin/revisions/{answer.json()['revision']}/publish"
    refused = world.client("admin").post(path).json()
    assert refused["code"] == "not-verified"
    assert "never verified" in refused["detail"]


def test_points_have_one_maximum(world: World) -> None:
    text = OTHER_NAME["judge.yaml"].replace("points: 100", f"points: {MAX_POINTS + 1}")
    answer = upload(world, "admin", to_zip(package_files({"judge.yaml": text})))
    (finding,) = answer.json()["findings"]
    assert (answer.status_code, finding["code"]) == (422, "bad-value")
    assert str(MAX_POINTS) in finding["message"]


def test_a_report_on_other_content_proves_nothing(world: World) -> None:
    answer = upload(world, "admin", to_zip(other_package()))
    other = {**report(world, answer, passed=True), "content_hash": "0" * 64}
    record_report(world.database, claim(world), other, passed=True)
    path = f"/api/v1/admin/revisions/{answer.json()['revision']}/verify"
    assert world.client("admin").get(path).json()["verify_state"] == "failed"


def test_the_judges_own_fault_is_no_proof_and_can_be_asked_again(world: World) -> None:
    answer = upload(world, "teacher", to_zip(other_package()))
    record_fault(world.database, claim(world), "the sandbox broke")
    path = f"/api/v1/admin/revisions/{answer.json()['revision']}/verify"
    teacher = world.client("teacher")
    shown = teacher.get(path).json()
    assert [one["code"] for one in shown["report"]["findings"]] == ["judge-fault"]
    again = teacher.post(path)
    assert (again.status_code, again.json()["is_running"]) == (202, True)
    twice = teacher.post(path)
    assert (twice.status_code, twice.json()["code"]) == (409, "verification-open")


def test_a_proof_that_comes_with_the_archive_counts_for_nothing(world: World) -> None:
    package = canary_package(OTHER_NAME)
    files = PackageFiles({**package.files, PROOF_NAME: write_proof(proof_of(package))})
    answer = upload(world, "admin", to_zip(files))
    assert answer.json()["verify_state"] == "pending"
    path = f"/api/v1/admin/revisions/{answer.json()['revision']}/package"
    assert PROOF_NAME not in read_archive(world.client("admin").get(path).content)


def test_a_fault_of_the_judge_takes_no_proof_away(world: World) -> None:
    answer = upload(world, "admin", to_zip(other_package()))
    path = f"/api/v1/admin/revisions/{answer.json()['revision']}/verify"
    proof = {**report(world, answer, passed=True), "calibration": {"sample/01": 9.0}}
    record_report(world.database, claim(world), proof, passed=True)
    assert world.client("admin").post(path).status_code == 202
    record_fault(world.database, claim(world), "the sandbox broke")
    assert world.client("admin").get(path).json()["verify_state"] == "proved"
    world.client("admin").post(path)
    failed = report(world, answer, passed=False)
    record_report(world.database, claim(world), failed, passed=False)
    shown = world.client("admin").get(path).json()
    assert (shown["verify_state"], shown["report"]["calibration"]) == ("failed", {"sample/01": 9.0})


def test_the_same_package_is_the_same_revision(world: World) -> None:
    first = upload(world, "teacher", to_zip(other_package())).json()
    second = upload(world, "teacher", as_tar(other_package())).json()
    assert (second["revision"], second["is_known"]) == (first["revision"], True)
    assert jobs.claim(world.database, (LANE,), "verifier", 60.0) is not None
    assert jobs.claim(world.database, (LANE,), "verifier", 60.0) is None


def test_a_dry_run_stores_nothing(world: World) -> None:
    before = stored(world)
    answer = upload(world, "teacher", to_zip(other_package()), dry_run=True)
    assert (answer.status_code, answer.json()["revision"]) == (200, None)
    assert stored(world) == before


def test_an_error_that_lint_finds_is_answered_with_its_place(world: World) -> None:
    before = stored(world)
    broken = package_files({**OTHER_NAME, "statement/problem.ja.md": None})
    answer = upload(world, "teacher", to_zip(broken))
    assert (answer.status_code, answer.json()["code"]) == (422, "package-invalid")
    found = {one["code"]: one["where"] for one in answer.json()["findings"]}
    assert found["missing-statement"] == "statement/problem.ja.md"
    assert stored(world) == before


def test_an_import_in_one_locale_is_refused_until_it_is_translated(world: World) -> None:
    answer = upload(world, "teacher", to_zip(imported(legacy=False).files))
    assert (answer.status_code, answer.json()["code"]) == (422, "package-invalid")
    lacking = {
        (one["code"], one["where"])
        for one in answer.json()["findings"]
        if one["severity"] == "error"
    }
    assert {
        ("missing-statement", "statement/problem.vi.md"),
        ("missing-statement", "statement/problem.ja.md"),
    } <= lacking
    translated = {
        "problem.yaml": CURRENT_YAML.replace("en: Echo", "vi: Vọng, ja: こだま, en: Echo"),
        "statement/problem.vi.md": "Nói lại một lần nữa.\n",
        "statement/problem.ja.md": "もう一度言ってください。\n",
    }
    answer = upload(world, "teacher", to_zip(imported(translated, legacy=False).files))
    assert answer.status_code == 202, answer.text


def test_what_is_called_json_is_not_parsed_as_json(world: World) -> None:
    for blob in (b"{", to_zip(other_package())):
        answer = world.client("teacher").post(
            IMPORT, content=blob, headers={"Content-Type": "application/json"}
        )
        assert answer.status_code == (422 if blob == b"{" else 202)


@pytest.mark.parametrize(
    "blob", [b"", b"PK\x05\x06", b"no archive at all", b"\x1f\x8b" + bytes(40)]
)
def test_what_is_no_archive_is_refused(world: World, blob: bytes) -> None:
    answer = upload(world, "teacher", blob)
    assert answer.status_code == 422
    assert answer.json()["code"] in {"package-invalid", "invalid-request"}


class TestWhoMay:
    def test_learners_and_strangers_upload_nothing(self, world: World) -> None:
        blob = to_zip(other_package())
        assert world.anonymous().post(IMPORT, content=blob).status_code == 401
        assert upload(world, "learner", blob).status_code == 403

    def test_a_problem_of_somebody_else_cannot_be_replaced(self, world: World) -> None:
        answer = upload(world, "teacher", to_zip(canary_package({"hints/1.en.md": "x\n"}).files))
        assert (answer.status_code, answer.json()["code"]) == (409, "slug-taken")
        assert answer.json()["slug"] == SLUG

    def test_another_teacher_does_not_see_it(self, world: World) -> None:
        path = upload(world, "teacher", to_zip(other_package())).json()["revision"]
        set_role(world.database, world.accounts["other"], "teacher")
        other = world.client("other")
        for call in (other.get, other.post):
            assert call(f"/api/v1/admin/revisions/{path}/verify").status_code == 404
        assert upload(world, "other", to_zip(other_package())).json()["code"] == "slug-taken"
