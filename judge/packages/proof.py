"""verified.json: the committed proof that a package was verified by a judge.

Owns its form. A proof is only a statement: it names the content hash that was verified, so any
change to the package makes it worthless. It is never part of a digest (judge.packages.digest).
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from judge.packages.files import PROOF_NAME
from judge.packages.manifest import Manifest
from judge.packages.package import Package

FORMAT = "judge-proof/1"
Count = Annotated[int, Field(ge=0)]


@dataclass(frozen=True)
class Proof:
    """What was verified, by which version, and how much of it.

    ``accepted`` and ``rejected`` count example submissions that came to what they should,
    ``cases`` the test cases.
    """

    content_hash: str
    judge: str
    accepted: int
    rejected: int
    cases: int


class _ProofJson(Manifest):
    format: Literal["judge-proof/1"]
    content_hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    judge: Annotated[str, Field(min_length=1, max_length=64)]
    accepted: Count
    rejected: Count
    cases: Count


def find_proof(files: Mapping[str, bytes]) -> Proof | None:
    """The package's proof, or None where there is none or it is not well-formed."""
    try:
        read = _ProofJson.model_validate_json(files.get(PROOF_NAME, b""))
    except ValidationError:
        return None
    return Proof(read.content_hash, read.judge, read.accepted, read.rejected, read.cases)


def proves(proof: Proof, package: Package) -> bool:
    """Whether a proof speaks of exactly this content, and of something accepted."""
    planned = len(package.problem.cases)
    return (
        proof.content_hash == package.content_hash
        and proof.accepted > 0
        and proof.cases == planned > 0
    )


def write_proof(proof: Proof) -> bytes:
    """The text of verified.json."""
    return (json.dumps({"format": FORMAT, **asdict(proof)}, indent=2) + "\n").encode()
