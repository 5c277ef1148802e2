"""``judge problems publish|retire|restore|download|revisions``: what touches the database.

Whoever runs these commands runs the judge, so no account is asked for.
"""

from pathlib import Path
from typing import Annotated

import typer

from judge.actions import retire as retiring
from judge.actions.publish import ScorePolicy, Scores, publish, publish_revision
from judge.api.ids import REJUDGE, show
from judge.api.schemas.notices import visibility_notices
from judge.cli.exits import NOT_DONE, USAGE, leave
from judge.cli.open_database import open_database
from judge.cli.own_proofs import find_own_proof
from judge.cli.start import open_settings
from judge.db.engine import Database
from judge.db.queries.judging import select_package
from judge.db.queries.problems import Problem, Revision, find_problem, list_revisions
from judge.errors import NotFound
from judge.i18n import FALLBACK
from judge.packages.builtin import load_named
from judge.packages.proof import with_proof

Slug = Annotated[str, typer.Argument(help="Slug of the problem.")]
ScoresOption = Annotated[
    ScorePolicy | None,
    typer.Option("--scores", help="What becomes of earlier scores where the tests differ."),
]
Decrease = Annotated[
    bool, typer.Option("--allow-decrease", help="Let a rejudge lower scores as well.")
]


def publish_command(
    folder: Annotated[
        str,
        typer.Argument(
            help="Slug, folder or archive that was verified here; with --revision a slug."
        ),
    ],
    scores: ScoresOption = None,
    allow_decrease: Decrease = False,
    revision: Annotated[
        int | None, typer.Option("--revision", min=1, help="Publish a stored revision again.")
    ] = None,
) -> None:
    """Publish a package that was verified here, or a stored revision."""
    chosen = Scores(scores, allow_decrease)
    with open_database() as (database, bell):
        if revision is None:
            package = load_named(folder)
            slug = package.slug
            proof = find_own_proof(open_settings().data_dir, folder, package)
            if proof is None:
                leave(
                    NOT_DONE, f"{slug}: not proved here; run first: judge problems verify {folder}"
                )
            published = publish(database, with_proof(package, proof), proof, chosen)
        else:
            slug = folder
            stored = _select_revision(database, slug, revision)
            published = publish_revision(database, stored.id, chosen)
        started = published.rejudge
        for lane in () if started is None else started.lanes:
            bell.ring(f"lane:{lane}")
    state = "published" if published.is_new else "was published already"
    print(f"{slug}: revision {published.number} {state}")
    for notice in visibility_notices(published.wished, published.visibility, FALLBACK):
        print(f"{slug}: {notice.message}")
    if started is not None:
        print(
            f"{slug}: {started.submissions} submissions are judged anew, scores follow when all "
            f"are; see: judge rejudge show {show(REJUDGE, started.rejudge_id)}"
        )


def retire_command(slug: Slug) -> None:
    """Take a problem from the learners; what they handed in stays readable to them."""
    with open_database() as (database, _):
        retiring.retire(database, None, slug)
    print(f"{slug}: retired")


def restore_command(slug: Slug) -> None:
    """Give a retired problem back."""
    with open_database() as (database, _):
        retiring.restore(database, None, slug)
    print(f"{slug}: published")


def revisions_command(slug: Slug) -> None:
    """List a problem's stored revisions, the newest first."""
    with open_database() as (database, _), database.read() as connection:
        problem = _select(database, slug)
        for one in list_revisions(connection, problem.id):
            mark = "published" if one.id == problem.revision_id else one.verify_state
            print(f"{one.number:>4}  {one.created_at:%Y-%m-%d %H:%M}  {one.content_hash}  {mark}")


def download_command(
    slug: Slug,
    output: Annotated[Path, typer.Option("--output", help="The zip file to write.")],
    revision: Annotated[
        int | None,
        typer.Option("--revision", min=1, help="A stored revision; by default what is published."),
    ] = None,
) -> None:
    """Write a problem's package as its canonical zip."""
    with open_database() as (database, _):
        problem = _select(database, slug)
        wanted = problem.revision_id
        if revision is not None:
            wanted = _select_revision(database, slug, revision).id
        if wanted is None:
            raise NotFound("revision-not-found")
        with database.read() as connection:
            blob = select_package(connection, wanted)
        try:
            output.write_bytes(blob)
        except OSError as error:
            leave(USAGE, f"judge: cannot write {output}: {error.strerror}")
    print(f"{slug}: {len(blob)} bytes in {output}")


def _select(database: Database, slug: str) -> Problem:
    with database.read() as connection:
        found = find_problem(connection, slug)
    if found is None:
        raise NotFound("problem-not-found", slug=slug)
    return found


def _select_revision(database: Database, slug: str, number: int) -> Revision:
    problem = _select(database, slug)
    with database.read() as connection:
        for one in list_revisions(connection, problem.id):
            if one.number == number:
                return one
    raise NotFound("revision-not-found")
