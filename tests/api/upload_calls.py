"""Sending a package as a program does, and what a verifier would answer."""

from typing import Any

from api_world import World, canary_package
from package_builder import JUDGE_YAML
from sqlalchemy import select

from judge.actions.verification import LANE, record_report
from judge.db.tables import revision
from judge.packages.files import PackageFiles, to_zip
from judge.queue import jobs

IMPORT = "/api/v1/admin/problems:import"
HEADERS = {"Content-Type": "application/octet-stream"}


def named(name: str, **changes: str) -> PackageFiles:
    """A package under another name than the world's own."""
    text = changes.pop("judge_yaml", JUDGE_YAML)
    judge_yaml = text.replace("name: count_large", f"name: {name}")
    return canary_package({"judge.yaml": judge_yaml, **changes}).files


def upload(world: World, who: str, files: PackageFiles, **parameters: Any) -> Any:
    """The answer to an upload."""
    return world.client(who).post(IMPORT, content=to_zip(files), headers=HEADERS, params=parameters)


def pass_verification(world: World, answer: Any) -> str:
    """Let the one waiting verification pass; the address of the uploaded revision."""
    claim = jobs.claim(world.database, (LANE,), "verifier", 60.0)
    assert claim is not None
    with world.database.read() as connection:
        content_hash = connection.scalar(
            select(revision.c.content_hash).where(revision.c.id == claim.ref_id)
        )
    report = {"passed": True, "content_hash": content_hash, "findings": []}
    assert record_report(world.database, claim, report, passed=True)
    return f"/api/v1/admin/revisions/{answer.json()['revision']}"
