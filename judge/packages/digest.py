"""Two digests of a package: of everything, and of what can change a verdict.

``content_hash`` identifies a revision; ``tests_hash`` tells whether old scores still mean the same
after a new revision. Both are SHA-256 over an encoding in which every part carries its length, so
no two different packages share one byte string. The proof (verified.json) states a content hash
and therefore is part of neither.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from judge.domain.problem import CheckerSpec, Problem
from judge.packages.files import PROOF_NAME

REVISION_DIGITS = 12


def content_hash(files: Mapping[str, bytes]) -> str:
    """SHA-256 (hex) of every file and its path, the proof left out."""
    paths = sorted(path for path in files if path != PROOF_NAME)
    return _digest("judge-content/1", {path: files[path] for path in paths})


def revision(hash_of_content: str) -> str:
    """The short name of a revision: the first 12 hex digits of its content hash."""
    return hash_of_content[:REVISION_DIGITS]


def tests_hash(problem: Problem, files: Mapping[str, bytes]) -> str:
    """SHA-256 (hex) of what can change a verdict or a group's score.

    Covers signature, checker, limits, groups and the bytes of every case's input, answer and
    array files; neither titles, hints and texts nor the points that scale a score when shown.
    """
    rules = {
        "signature": str(problem.signature),
        "checker": _stated(problem.checker),
        "limits": vars(problem.limits),
        "time_factors": problem.time_factors,
        "groups": [[group.name, group.max_score, group.require_pass] for group in problem.groups],
        "cases": [[case.id, case.group] for case in problem.cases],
    }
    parts = {"rules": json.dumps(rules, sort_keys=True).encode()}
    program = problem.checker_program
    if program is not None:
        parts |= {f"checker/{name}": content for name, content in program.files}
        parts["checker"] = json.dumps([program.language, program.arguments]).encode()
    folders = {f"data/{case.id}.files" for case in problem.cases}
    arrays = [path for path in sorted(files) if path.rpartition("/")[0] in folders]
    texts = [f"data/{case.id}.{suffix}" for case in problem.cases for suffix in ("in", "ans")]
    parts |= {path: files[path] for path in (*texts, *arrays)}
    return _digest("judge-tests/1", parts)


def _stated(checker: CheckerSpec) -> dict[str, Any]:
    """The checker's numbers; one that a later release brings counts only where it says something.

    So a digest that was stored before stays right.
    """
    always = {"kind", "abs_tolerance", "rel_tolerance", "nan_equal"}
    plain = vars(CheckerSpec(""))
    return {
        name: value
        for name, value in vars(checker).items()
        if name in always or value != plain[name]
    }


def _digest(label: str, parts: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256(label.encode())
    for name, content in parts.items():
        for piece in (name.encode(), content):
            digest.update(len(piece).to_bytes(8, "little"))
            digest.update(piece)
    return digest.hexdigest()
