"""Which packages this installation has proved itself.

A verified.json is only a statement, and anybody can write one: what comes from elsewhere is proved
here before it is published. So every proof is noted in the data folder under the digest of what was
proved. The problems that come with the judge need no note: their proofs are part of it.
"""

from pathlib import Path

from judge.packages.builtin import builtin_folder, locate

_FOLDER = "proofs"


def note_proof(data_dir: Path, content_hash: str) -> None:
    """Keep in mind that exactly this content was proved here."""
    folder = data_dir / _FOLDER
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / content_hash).touch(mode=0o600)


def is_proved_here(data_dir: Path, name: str, content_hash: str) -> bool:
    """Whether the package that a command names is a built-in one, or was proved here."""
    is_builtin = locate(name).resolve().parent == builtin_folder().resolve()
    return is_builtin or (data_dir / _FOLDER / content_hash).is_file()
