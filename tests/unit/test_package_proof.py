"""The committed proof of a package."""

import json

import pytest
from package_builder import load_package, package_files

from judge.packages.proof import Proof, find_proof, proves, write_proof


def proof(**changes) -> Proof:
    facts = {
        "content_hash": load_package().content_hash,
        "judge": "0.1.0",
        "accepted": 1,
        "rejected": 1,
        "cases": 4,
    }
    return Proof(**(facts | changes))


def test_a_written_proof_reads_back_and_proves_its_package():
    files = package_files({"verified.json": write_proof(proof())})
    found = find_proof(files)
    assert found == proof()
    assert proves(found, load_package({"verified.json": write_proof(proof())}))


def test_the_file_has_the_agreed_members():
    written = json.loads(write_proof(proof()))
    assert list(written) == ["format", "content_hash", "judge", "accepted", "rejected", "cases"]
    assert written["format"] == "judge-proof/1"


def test_a_changed_package_is_no_longer_proved():
    assert not proves(proof(), load_package({"data/secret/20-edges/01.ans": "1\n"}))


@pytest.mark.parametrize("changes", [{"accepted": 0}, {"cases": 3}, {"cases": 0}])
def test_a_proof_of_too_little_proves_nothing(changes):
    assert not proves(proof(**changes), load_package())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "not json",
        '{"format": "judge-proof/2"}',
        write_proof(proof()).decode().replace('"0.1.0"', "1"),
        write_proof(proof()).decode().replace(": 4", ": -4"),
        write_proof(proof()).decode().replace(": 4", ": 4.5"),
        write_proof(proof()).decode().replace('"cases"', '"more": 1, "cases"'),
        write_proof(proof(content_hash="abc")).decode(),
    ],
)
def test_a_proof_that_is_not_well_formed_is_none(text):
    assert find_proof(package_files({"verified.json": text})) is None


def test_no_proof_is_none():
    assert find_proof(package_files()) is None
