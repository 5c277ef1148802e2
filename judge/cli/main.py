"""The command line's root: joins the commands, adds nothing.

A command's module is imported when it is asked for: the server's libraries take seconds to load on
a small machine, and ``judge grade`` needs none of them.
"""

import sys
from importlib import import_module

import typer

from judge.cli.exits import run_guarded

_MODULES = {
    "grade": "judge.cli.grade",
    "problems": "judge.cli.problems",
    "doctor": "judge.cli.doctor",
    "serve": "judge.cli.serve",
    "worker": "judge.cli.worker",
    "verifier": "judge.cli.verifier",
    "chores": "judge.cli.chores",
    "accounts": "judge.cli.accounts",
    "submit": "judge.cli.submit",
    "rejudge": "judge.cli.rejudge",
    "scores": "judge.cli.scores",
}


def build_app(wanted: str = "") -> typer.Typer:
    """The command line with the wanted command, or with all where none or no such is named."""
    app = typer.Typer(
        name="judge",
        no_args_is_help=True,
        rich_markup_mode=None,
        add_completion=False,
        pretty_exceptions_enable=False,
        callback=_root,
    )
    for name in [wanted] if wanted in _MODULES else _MODULES:
        module = import_module(_MODULES[name])
        if hasattr(module, "app"):
            app.add_typer(module.app, name=name)
        else:
            app.command(name)(getattr(module, name))
    return app


def main() -> None:
    """Process entry."""
    run_guarded(lambda: build_app(sys.argv[1] if len(sys.argv) > 1 else "")(prog_name="judge"))


def _root() -> None:
    """Decode Judge: an online judge for problems on how language models decode."""
