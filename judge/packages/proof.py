"""verified.json: the committed proof that a package was verified by a judge.

Owns its form. A proof is only a statement: it names the content hash that was verified, so any
change to the package makes it worthless. It is never part of a digest (judge.packages.digest).

Of a distribution it holds the critical value of every case, too; ``calibrated`` hands them to
grading. Whoever publishes a package puts the proof in it that the judge has found itself.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from judge.domain.problem import Problem
from judge.packages.files import PROOF_NAME, PackageFiles
from judge.packages.manifest import Manifest
from judge.packages.package import Package

FORMAT = "judge-proof/1"
Count = Annotated[int, Field(ge=0)]
CriticalValue = Annotated[float, Field(ge=0, allow_inf_nan=False)]


@dataclass(frozen=True)
class Proof:
    """What was verified, by which version, and how much of it.

    ``accepted`` and ``rejected`` count example submissions that came to what they should,
    ``cases`` the test cases. ``calibration`` is the critical value by case of a distribution.
    """

    content_hash: str
    judge: str
    accepted: int
    rejected: int
    cases: int
    calibration: dict[str, float] = field(default_factory=dict)


class _ProofJson(Manifest):
    format: Literal["judge-proof/1"]
    content_hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    judge: Annotated[str, Field(min_length=1, max_length=64)]
    accepted: Count
    rejected: Count
    cases: Count
    calibration: dict[str, CriticalValue] = Field(default={})


def find_proof(files: Mapping[str, bytes]) -> Proof | None:
    """The package's proof, or None where there is none or it is not well-formed."""
    return parse_proof(files.get(PROOF_NAME, b""))


def parse_proof(text: bytes) -> Proof | None:
    """A proof out of its text; None where it is not well-formed."""
    try:
        read = _ProofJson.model_validate_json(text)
    except ValidationError:
        return None
    counts = (read.accepted, read.rejected, read.cases)
    return Proof(read.content_hash, read.judge, *counts, dict(read.calibration))


def proves(proof: Proof, package: Package) -> bool:
    """Whether a proof speaks of exactly this content, and of something accepted.

    Of a distribution it must hold the critical value of every case.
    """
    planned = len(package.problem.cases)
    return (
        proof.content_hash == package.content_hash
        and proof.accepted > 0
        and proof.cases == planned > 0
        and is_calibrated(package.problem, proof.calibration)
    )


def is_calibrated(problem: Problem, calibration: Mapping[str, float]) -> bool:
    """Whether these are the critical values of exactly this problem's cases."""
    needed = problem.cases if problem.checker.kind == "distribution" else ()
    return calibration.keys() == {case.id for case in needed}


def calibrated(package: Package, reported: Mapping[str, float] | None = None) -> Problem:
    """The problem as grading needs it: of a distribution with critical values.

    They are those of the package's own proof, or else those that its verification ``reported``.
    Where neither has them for all cases nothing is added, and grading refuses the problem.
    """
    proof = find_proof(package.files)
    own = {}
    if proof is not None and proof.content_hash == package.content_hash:
        own = proof.calibration
    for values in (own, reported or {}):
        if is_calibrated(package.problem, values):
            return replace(package.problem, calibration=dict(values))
    return package.problem


def with_proof(package: Package, proof: Proof) -> Package:
    """The package with this proof in place of its own."""
    return replace(package, files=PackageFiles({**package.files, PROOF_NAME: write_proof(proof)}))


def write_proof(proof: Proof) -> bytes:
    """The text of verified.json."""
    stated = {"format": FORMAT, **asdict(proof)}
    if not proof.calibration:
        del stated["calibration"]
    return (json.dumps(stated, indent=2) + "\n").encode()
