"""The commands ``judge rejudge preview|show|list|apply|cancel``.

Whoever runs them runs the judge, so no account is asked for. A preview is judged by the workers;
``show`` says how far it is and what applying would change.
"""

import json
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from judge.actions.rejudge import cancel_rejudge, start_rejudge
from judge.actions.rejudge_apply import apply_rejudge, preview_effects, summarize
from judge.api.ids import REJUDGE, show
from judge.cli.open_database import open_database
from judge.db.queries.rejudges import PREVIEW, Rejudge, count_items, list_rejudges, select_rejudge
from judge.domain.rejudging import Selector
from judge.domain.verdicts import Verdict

app = typer.Typer(
    help="Judge submissions anew: preview, then apply or cancel.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Id = Annotated[
    str,
    # The prefix may be missing.
    typer.Argument(
        help="Id of the rejudge, as list prints it.",
        callback=lambda text: text.removeprefix(f"{REJUDGE}_"),
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
_MOST_LISTED = 50
_COUNTS = ("up", "down", "same", "verdict_only", "kept", "failed")


@app.command("preview")
def preview_command(
    problem: Annotated[str, typer.Argument(help="Slug of the problem.")],
    revision: Annotated[
        int | None, typer.Option(min=1, help="Judged on this revision up to now.")
    ] = None,
    account: Annotated[str | None, typer.Option(help="Of this handle.")] = None,
    verdict: Annotated[Verdict | None, typer.Option(help="With this verdict up to now.")] = None,
    language: Annotated[str | None, typer.Option(help="In this language.")] = None,
    since: Annotated[datetime | None, typer.Option(help="Handed in since; UTC.")] = None,
) -> None:
    """Judge submissions anew on the published revision; nothing changes until it is applied."""
    moment = None if since is None else since.replace(tzinfo=UTC)
    selector = Selector(revision=revision, verdict=verdict, language=language, since=moment)
    with open_database() as (database, bell):
        started = start_rejudge(database, None, problem, selector, account)
        for lane in started.lanes:
            bell.ring(f"lane:{lane}")
    shown = show(REJUDGE, started.rejudge_id)
    print(f"{shown}: {started.submissions} submissions of {problem} wait to be judged")


@app.command("show")
def show_command(
    rejudge_id: Id,
    allow_decrease: Annotated[
        bool, typer.Option("--allow-decrease", help="As it would be if scores may fall.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Say how far a rejudge is, and what it changes for each account."""
    with open_database() as (database, _), database.read() as connection:
        found = select_rejudge(connection, rejudge_id)
        advance = count_items(connection, found.id)
        summary: dict[str, Any] = found.summary or {}
        if found.state == PREVIEW:
            effects = preview_effects(connection, found, allow_decrease=allow_decrease)
            summary = summarize(effects)
    if as_json:
        shown = {
            "id": show(REJUDGE, found.id),
            "problem": found.slug,
            "revision": found.revision_number,
            "state": found.state,
            "submissions": advance.submissions,
            "pending": advance.pending,
            **summary,
        }
        print(json.dumps(shown, ensure_ascii=False))
        return
    print(_line(found, advance.submissions, advance.pending))
    _print_summary(summary)


@app.command("list")
def list_command(
    problem: Annotated[str | None, typer.Argument(help="Only of this problem.")] = None,
) -> None:
    """List the latest rejudges."""
    with open_database() as (database, _), database.read() as connection:
        for found in list_rejudges(connection, problem, None, _MOST_LISTED):
            advance = count_items(connection, found.id)
            print(_line(found, advance.submissions, advance.pending))


@app.command("apply")
def apply_command(
    rejudge_id: Id,
    allow_decrease: Annotated[
        bool, typer.Option("--allow-decrease", help="Let scores fall as well.")
    ] = False,
) -> None:
    """Let the new judgements count; by default none that would make a score fall."""
    with open_database() as (database, _):
        effects = apply_rejudge(database, None, rejudge_id, allow_decrease=allow_decrease)
    print(f"{show(REJUDGE, rejudge_id)}: applied")
    _print_summary(summarize(effects))


@app.command("cancel")
def cancel_command(rejudge_id: Id) -> None:
    """Leave everything as it was."""
    with open_database() as (database, _):
        cancel_rejudge(database, None, rejudge_id)
    print(f"{show(REJUDGE, rejudge_id)}: cancelled")


def _line(found: Rejudge, submissions: int, pending: int) -> str:
    waits = f", {pending} wait to be judged" if pending else ""
    return (
        f"{show(REJUDGE, found.id)}: {found.slug}, revision {found.revision_number}, "
        f"{found.state}; {submissions} submissions{waits}"
    )


def _print_summary(summary: dict[str, Any]) -> None:
    if not summary:
        return
    print("accounts: " + ", ".join(f"{summary[name]} {name}" for name in _COUNTS))
    for one in summary["accounts"]:
        if one["change"] != "same" or one["kept"] or one["failed"]:
            kept = f", {one['kept']} kept" if one["kept"] else ""
            failed = f", {one['failed']} failed" if one["failed"] else ""
            print(
                f"  {one['handle']}: {_score(one['before'])} -> {_score(one['after'])}, "
                f"{one['change']}{kept}{failed}"
            )


def _score(fraction: list[int] | None) -> str:
    return "-" if fraction is None else f"{fraction[0]}/{fraction[1]}"
