"""Digests: what a revision is, and whether old scores keep their meaning."""

import pytest
from package_builder import (
    JUDGE_YAML,
    PROBLEM_YAML,
    case_text,
    case_texts,
    load_package,
    package_files,
)

from judge.packages.digest import content_hash


def test_the_content_hash_covers_every_file_but_the_proof():
    base = content_hash(package_files())
    assert content_hash(package_files({"verified.json": "{}"})) == base
    assert content_hash(package_files({"margins.py": "\n"})) != base
    assert content_hash(package_files({"LICENSE": ""})) != base


def test_no_two_ways_to_cut_the_same_bytes_share_a_hash():
    one = {"ab": b"c", "d": b""}
    other = {"a": b"bc", "d": b""}
    third = {"ab": b"", "d": b"c"}
    assert len({content_hash(files) for files in (one, other, third)}) == 3


def test_the_revision_is_the_beginning_of_the_content_hash():
    package = load_package()
    assert package.problem.revision == package.content_hash[:12]


@pytest.mark.parametrize(
    "changes",
    [
        {"judge.yaml": JUDGE_YAML.replace("{kind: exact}", "{kind: close}")},
        {"judge.yaml": JUDGE_YAML.replace("returns: int", "returns: optional[int]")},
        {"judge.yaml": JUDGE_YAML.replace("result_mib: 8", "result_mib: 4")},
        {"problem.yaml": PROBLEM_YAML.replace("2.0", "3.0")},
        {"data/secret/10-basic/test_group.yaml": "max_score: 39\n"},
        {"data/secret/20-edges/test_group.yaml": "max_score: 60\nrequire_pass: sample\n"},
        {"data/secret/20-edges/01.ans": "1\n"},
        {"data/secret/20-edges/01.in": case_text([3.5], 3.5)},
        case_texts("secret/20-edges/02", [1.0], 2.0, 0),
    ],
)
def test_the_tests_hash_changes_with_what_can_change_a_verdict(changes):
    assert load_package(changes).tests_hash != load_package().tests_hash


@pytest.mark.parametrize(
    "changes",
    [
        {"statement/problem.en.md": "Other words 2.\n\n{{nextsample}}\n\n2 above 1.\n"},
        {"solution/solution.vi.md": "Khác\n"},
        {"hints/1.ja.md": "別\n"},
        {"judge.yaml": JUDGE_YAML.replace("Basics", "Basic cases").replace("cases: 2", "cases: 1")},
        {"judge.yaml": JUDGE_YAML.replace("points: 100", "points: 50")},
        {"problem.yaml": PROBLEM_YAML.replace("Count large", "Count big")},
        {"data/secret/10-basic/01.yaml": "hint: x\n"},
        {"submissions/accepted/more.py": "x = 1\n"},
        {"data/invalid_input/empty.in": "{}"},
    ],
)
def test_the_tests_hash_stays_when_only_texts_change(changes):
    changed = load_package(changes)
    assert changed.tests_hash == load_package().tests_hash
    assert changed.content_hash != load_package().content_hash
