"""The command ``judge scores check``: whether the stored best scores are what was judged.

Exit codes: 0 no difference (or all were repaired), 1 differences.
"""

from typing import Annotated

import typer

from judge.actions.score_check import Difference, find_differences, repair
from judge.cli.exits import DONE, NOT_DONE, leave
from judge.cli.open_database import open_database
from judge.domain.progress import BestScore

app = typer.Typer(help="Check the stored best scores.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def _scores() -> None:
    """Check the stored best scores."""


@app.command()
def check(
    repairs: Annotated[
        bool, typer.Option("--repair", help="Rebuild what differs; without it nothing is written.")
    ] = False,
) -> None:
    """Rebuild every best score from its judgements and compare; exit 0 only if none differs."""
    with open_database() as (database, _):
        found = find_differences(database)
        for one in found:
            print(_line(one))
        print(f"{len(found)} differences")
        if not (found and repairs):
            leave(NOT_DONE if found else DONE)
        repair(database, found)
        left = find_differences(database)
    print(f"repaired; {len(left)} differences left")
    leave(NOT_DONE if left else DONE)


def _line(one: Difference) -> str:
    return f"{one.handle}, {one.slug}: stored {_shown(one.stored)}, judged {_shown(one.rebuilt)}"


def _shown(best: BestScore | None) -> str:
    if best is None:
        return "nothing"
    accepted = "never" if best.first_accepted_at is None else f"{best.first_accepted_at:%F %T}"
    return (
        f"{best.score.earned}/{best.score.max} of {best.submissions} submissions "
        f"(judgement {best.judgement_id}, accepted {accepted})"
    )
