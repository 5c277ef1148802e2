"""Which packages this installation has proved itself, and what it found.

A verified.json is only a statement, and anybody can write one: what comes from elsewhere is proved
here before it is published, and nothing of its own statement is taken over, least of all the
critical values of a distribution. So every proof is kept in the data folder under the digest of
what was proved. The problems that come with the judge need none there: theirs are part of it.
"""

from pathlib import Path

from judge.packages.builtin import builtin_folder, locate
from judge.packages.package import Package
from judge.packages.proof import Proof, find_proof, parse_proof, write_proof

_FOLDER = "proofs"


def keep_proof(data_dir: Path, proof: Proof) -> None:
    """Keep what was found of exactly this content."""
    folder = data_dir / _FOLDER
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = _path(data_dir, proof.content_hash)
    path.touch(mode=0o600)
    path.write_bytes(write_proof(proof))


def find_own_proof(data_dir: Path, name: str, package: Package) -> Proof | None:
    """The judge's own proof of the package that a command names, if there is one."""
    if locate(name).resolve().parent == builtin_folder().resolve():
        return find_proof(package.files)
    path = _path(data_dir, package.content_hash)
    return parse_proof(path.read_bytes()) if path.is_file() else None


def _path(data_dir: Path, content_hash: str) -> Path:
    return data_dir / _FOLDER / f"{content_hash}.json"
