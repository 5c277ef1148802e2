"""What a proof is worth: the judge's own word, whatever a package says of itself."""

from dataclasses import replace
from pathlib import Path

import pytest
from package_builder import package_files

from judge.cli.own_proofs import find_own_proof, keep_proof
from judge.packages.builtin import load_named
from judge.packages.files import PROOF_NAME, PackageFiles, to_zip
from judge.packages.package import Package, load
from judge.packages.proof import Proof, calibrated, find_proof, with_proof, write_proof

FORGED = {"sample/01": 1e9}


@pytest.fixture
def package() -> Package:
    return load(package_files({}), "")


def proof_of(package: Package) -> Proof:
    return Proof(package.content_hash, "test", 1, 1, len(package.problem.cases))


def write_archive(folder: Path, package: Package, proof: Proof) -> str:
    """An archive that brings its own statement along."""
    path = folder / f"{package.slug}.zip"
    path.write_bytes(to_zip(PackageFiles({**package.files, PROOF_NAME: write_proof(proof)})))
    return str(path)


def test_a_statement_of_its_own_is_no_proof(tmp_path: Path, package: Package) -> None:
    name = write_archive(tmp_path, package, proof_of(package))
    assert find_own_proof(tmp_path, name, load_named(name)) is None


def test_an_archive_that_was_proved_here_has_the_judges_own_proof(
    tmp_path: Path, package: Package
) -> None:
    own = proof_of(package)
    keep_proof(tmp_path, own)
    name = write_archive(tmp_path, package, replace(own, accepted=99, calibration=FORGED))
    assert find_own_proof(tmp_path, name, load_named(name)) == own


def test_what_is_published_holds_the_judges_own_proof(package: Package) -> None:
    own = proof_of(package)
    forged = with_proof(package, replace(own, calibration=FORGED))
    assert find_proof(with_proof(forged, own).files) == own
    assert calibrated(with_proof(forged, own)).calibration == {}


def test_an_archive_without_a_statement_can_be_proved_here(
    tmp_path: Path, package: Package
) -> None:
    keep_proof(tmp_path, proof_of(package))
    path = tmp_path / "plain.zip"
    path.write_bytes(to_zip(package.files))
    assert find_own_proof(tmp_path, str(path), load_named(str(path))) == proof_of(package)


def test_of_other_content_nothing_is_known(tmp_path: Path, package: Package) -> None:
    keep_proof(tmp_path, replace(proof_of(package), content_hash="0" * 64))
    name = write_archive(tmp_path, package, proof_of(package))
    assert find_own_proof(tmp_path, name, load_named(name)) is None


def test_a_built_in_problem_brings_its_proof(tmp_path: Path) -> None:
    found = find_own_proof(tmp_path, "sample_token", load_named("sample_token"))
    assert found is not None
    assert found.cases > 0
