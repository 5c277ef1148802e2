"""The command ``judge chores run``: one round of what the housekeeper does every minute.

Exit codes: 0 every chore was done, 3 one failed.
"""

import typer

from judge.cli.exits import DONE, JUDGE_FAULT, leave
from judge.cli.open_database import open_database
from judge.worker.housekeeper import run_round

app = typer.Typer(help="What is done from time to time.", no_args_is_help=True)


@app.callback()
def _chores() -> None:
    """What is done from time to time."""


@app.command()
def run() -> None:
    """Make exports, erase accounts whose grace has ended, delete what is over."""
    with open_database() as (database, _):
        done = run_round(database)
    for name, count in done.items():
        print(f"{name}: {'failed; see the log' if count is None else count}")
    leave(DONE if None not in done.values() else JUDGE_FAULT)
