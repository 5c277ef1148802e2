"""``judge problems import`` and ``export``: packages of Kattis' format in and out."""

import shutil
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from judge.cli.exits import DONE, NOT_DONE, USAGE, error_exits, leave
from judge.packages.archives import archive_stem, read_any
from judge.packages.builtin import load_named
from judge.packages.kattis.exporting import export_package
from judge.packages.kattis.importing import import_package
from judge.packages.lint import is_fit, is_fit_once_translated, lint
from judge.packages.package import load


class Format(StrEnum):
    """Which form of the format an export has."""

    LEGACY = "legacy"
    CURRENT = "2025-09"


def import_command(
    file: Annotated[Path, typer.Argument(help="A Kattis package: folder, zip or tar.")],
    output: Annotated[
        Path | None, typer.Option("--output", help="The folder to make [./SLUG].")
    ] = None,
) -> None:
    """Make a stdio package of a Kattis one; exit 0 if only translations are left to write."""
    with error_exits():
        name = file.resolve().name
        source_name = archive_stem(name) if file.is_file() else name
        imported = import_package(read_any(file), source_name)
        package = load(imported.files, imported.slug)
    folder = output or Path(imported.slug)
    _write(folder, imported.files)
    findings = (*imported.notices, *lint(package))
    for finding in findings:
        print(finding)
    print(f"{imported.slug}: {len(package.problem.cases)} cases, written to {folder}")
    if not is_fit(findings):
        print(f"`judge grade {folder} SOURCE` judges it; publishing it waits for the errors above")
    leave(DONE if is_fit_once_translated(findings) else NOT_DONE)


def export_command(
    problem: Annotated[str, typer.Argument(help="Slug, folder or archive.")],
    output: Annotated[Path, typer.Option("--output", help="Where the package's folder is made.")],
    kattis: Annotated[
        bool, typer.Option("--kattis", help="In Kattis' format (the only one there is).")
    ] = True,
    form: Annotated[
        Format, typer.Option("--format", help="legacy (Kattis, DOMjudge) or 2025-09.")
    ] = Format.LEGACY,
) -> None:
    """Write a problem as a Kattis package, with generated drivers and validators."""
    if not kattis:
        leave(USAGE, "there is no other format: use --kattis")
    with error_exits():
        exported = export_package(load_named(problem), form.value)
    folder = output / exported.short_name
    _write(folder, exported.files)
    for finding in exported.notices:
        print(finding)
    print(f"{exported.short_name}: {len(exported.files)} files in {folder}")


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a new folder; what was begun does not stay if it cannot be finished."""
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        leave(USAGE, f"{folder} cannot be made: {error.strerror}")
    try:
        for path, content in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        leave(USAGE, f"{folder} cannot be written: {error.strerror}")
