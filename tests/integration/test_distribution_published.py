"""A distribution from its publication to a verdict: what is stored, shown and graded with."""

from pathlib import Path

import pytest

from judge.actions.publish import KEEP_SCORES, publish
from judge.actions.revisions import PENDING, store_revision
from judge.db.engine import Database
from judge.db.queries.problems import select_revision
from judge.errors import Conflict
from judge.packages.content import content_of
from judge.packages.files import PackageFiles, read_folder
from judge.packages.package import Package, load
from judge.packages.proof import Proof, find_proof, write_proof
from judge.worker.revisions import Revisions

FOLDER = Path(__file__).parents[1] / "grading" / "packages" / "dist_sampler"


STATEMENTS = {f"statement/problem.{locale}.md": b"$p$\n" for locale in ("vi", "ja", "en")}


def read_package(*, proved: bool) -> Package:
    plain = load(PackageFiles({**read_folder(FOLDER), **STATEMENTS}), "dist_sampler")
    if not proved:
        return plain
    values = {case.id: 18.5 for case in plain.problem.cases}
    proof = Proof(plain.content_hash, "test", 3, 7, len(values), values)
    files = PackageFiles({**plain.files, "verified.json": write_proof(proof)})
    return load(files, "dist_sampler")


def values_of(package: Package) -> dict[str, float]:
    return {case.id: 18.5 for case in package.problem.cases}


def test_a_worker_grades_with_the_values_of_the_proof(database: Database) -> None:
    package = read_package(proved=True)
    published = publish(database, package, find_proof(package.files))
    problem = Revisions(database).problem(published.revision_id)
    assert problem.calibration == values_of(package)


def test_without_them_it_is_not_published(database: Database) -> None:
    package = read_package(proved=False)
    proof = Proof(package.content_hash, "test", 3, 7, len(package.problem.cases))
    with pytest.raises(Conflict, match="not-verified"):
        publish(database, package, proof)


def test_a_stored_revision_that_is_proved_later_learns_them(database: Database) -> None:
    plain, proved = read_package(proved=False), read_package(proved=True)
    with database.write() as connection:
        stored = store_revision(connection, content_of(plain), None, PENDING)[1]
    published = publish(database, proved, find_proof(proved.files), KEEP_SCORES)
    assert published.revision_id == stored.id
    assert Revisions(database).problem(stored.id).calibration == values_of(plain)
    with database.read() as connection:
        assert select_revision(connection, stored.id).verify_state == "proved"
