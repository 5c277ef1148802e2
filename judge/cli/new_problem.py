"""``judge problems new``: the folder of a new package."""

import shutil
from pathlib import Path
from typing import Annotated
from uuid import uuid4

import typer

from judge.cli.exits import USAGE, leave
from judge.domain.signatures import (
    Signature,
    SignatureError,
    check_identifier,
    parse_signature,
)
from judge.harness.languages import LANGUAGES, PYTHON
from judge.packages.new import new_package
from judge.packages.paths import shown_name

_NEXT = {
    "generate": "writes the test data",
    "lint": "names what is still to be written",
    "verify": "runs every claim",
}


def new_command(
    slug: Annotated[str, typer.Argument(help="Name of the problem and of its function.")],
    signature: Annotated[
        str,
        typer.Option(
            "--signature", help="The function: 'NAME(scores: list[float], k: int) -> int'."
        ),
    ],
    language: Annotated[
        list[str] | None,
        typer.Option("--language", help="python, cpp or java; may be repeated [python]."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", help="The folder to make [./SLUG].")
    ] = None,
) -> None:
    """Make a package to start from: it lints, and verifies once its reference is written."""
    languages = language or [PYTHON]
    for each in languages:
        if each not in LANGUAGES:
            leave(USAGE, f"{each} is no language; choose from {', '.join(LANGUAGES)}")
    _check_slug(slug, signature)
    try:
        files = new_package(_named(slug, signature), uuid4(), languages)
    except SignatureError as error:
        leave(USAGE, f"--signature: {error}")
    folder = output or Path(slug)
    try:
        _write(folder, files)
    except FileExistsError:
        leave(USAGE, f"{folder} exists already")
    except (OSError, ValueError) as error:
        leave(USAGE, f"{folder} cannot be written: {getattr(error, 'strerror', None) or error}")
    shown = shown_name(str(folder))
    print(f"{slug}: {len(files)} files in {shown}")
    print(f"Write the function in {shown}/reference.py, then:")
    for command, purpose in _NEXT.items():
        print(f"  judge problems {command} {shown}   # {purpose}")


def _check_slug(slug: str, signature: str) -> None:
    """End the command where the slug is none, or the function is called otherwise."""
    name = slug.rpartition("/")[2]
    try:
        check_identifier(slug)
    except SignatureError as error:
        elsewhere = f"; to make it elsewhere: judge problems new {name} --output {slug}"
        leave(USAGE, f"{error}{shown_name(elsewhere) if name != slug else ''}")
    function, bracket, _ = signature.partition("(")
    if bracket and function.strip() not in ("", slug):
        called = shown_name(function.strip())
        leave(
            USAGE,
            f"--signature: the function is called {called}, the problem {slug}, and both have one "
            "name: change SLUG or the name in --signature, whichever is wrong",
        )


def _named(slug: str, text: str) -> Signature:
    """The signature with the problem's name, which the function always has."""
    _, bracket, rest = text.partition("(")
    return parse_signature(f"{slug}{bracket}{rest}")


def _write(folder: Path, files: dict[str, bytes]) -> None:
    """Write a new folder; what was begun does not stay if it cannot be finished."""
    folder.mkdir(parents=True)
    try:
        for path, content in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
