"""Publishing the problems that come with the judge, at start-up.

A built-in package is published from the proof that is committed beside it, without verifying it
again. Nothing that an administrator published is replaced: if the problem already has a revision
with other content, that revision and all scores stay, and a sentence says so.
"""

from collections.abc import Iterator
from pathlib import Path

from judge.actions.publish import publish
from judge.db.engine import Database
from judge.db.queries.problems import find_problem, is_published, select_revision
from judge.errors import Conflict, PackageInvalid
from judge.i18n import FALLBACK, refusal
from judge.packages.digest import content_hash
from judge.packages.files import read_folder
from judge.packages.package import load
from judge.packages.proof import find_proof


def publish_builtin(database: Database, folder: Path) -> tuple[str, ...]:
    """Publish every package below ``folder`` whose proof holds; returns sentences to print.

    A package that cannot be published never stops the others: its sentence says why.
    """
    return tuple(
        sentence
        for path in sorted(folder.iterdir())
        if (path / "judge.yaml").is_file()
        for sentence in _publish_one(database, path)
    )


def _publish_one(database: Database, folder: Path) -> Iterator[str]:
    try:
        files = read_folder(folder)
        with database.read() as connection:
            if is_published(connection, content_hash(files)):
                return
        package = load(files, folder.name)
    except PackageInvalid as error:
        yield f"{folder.name}: not published, the package cannot be read: {error.findings[0]}"
        return
    with database.read() as connection:
        owner = find_problem(connection, package.slug)
        if owner is not None and owner.owner_id is not None:
            yield (
                f"{package.slug}: not published, somebody has uploaded a problem with this slug; "
                "who owns a problem would also see what is said about it"
            )
            return
        if owner is not None and owner.revision_id is not None:
            kept = select_revision(connection, owner.revision_id)
            yield (
                f"{package.slug}: revision {kept.number} stays published with its scores; "
                "the built-in package differs, publish it with: "
                f"judge problems publish {package.slug}"
            )
            return
    try:
        done = publish(database, package, find_proof(files))
    except Conflict as error:
        why = "verified.json does not prove this package"
        if error.code != "not-verified":
            why = refusal(error.code, error.variant, FALLBACK, error.details)
        yield f"{package.slug}: not published, {why}"
        return
    yield f"{package.slug}: published revision {done.number}"
