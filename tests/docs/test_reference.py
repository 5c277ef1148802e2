"""docs/reference names every command and every route, and none that does not exist."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from typer.testing import CliRunner

from judge.cli.main import build_app
from judge.server import create_app
from judge.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "docs" / "reference"


def commands(command: Any, prefix: str = "judge") -> Iterator[str]:
    """The full names of all commands below one; Typer may carry a click of its own."""
    children = getattr(command, "commands", None)
    if children is None:
        yield prefix
        return
    for name, child in children.items():
        if not child.hidden:
            yield from commands(child, f"{prefix} {name}")


@pytest.fixture(scope="module")
def routes(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Method and path of everything that the server answers."""
    settings = Settings(data_dir=tmp_path_factory.mktemp("data"))
    paths = create_app(settings).openapi()["paths"]
    return {
        f"{method.upper()} {path}" for path, operations in paths.items() for method in operations
    }


def test_the_reference_names_exactly_the_commands_that_exist() -> None:
    text = (REFERENCE / "cli.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"^\| `(judge(?: [a-z]+)+)", text, re.M))
    assert documented == set(commands(typer.main.get_command(build_app())))


def test_the_reference_tells_the_exit_codes_of_every_command() -> None:
    text = (REFERENCE / "cli.md").read_text(encoding="utf-8")
    section = text.partition("\n## Exit codes\n")[2].partition("\n## ")[0]
    told = re.findall(r"^\| `(judge(?: [a-z]+)+)` \|", section, re.M)
    assert sorted(told) == sorted(commands(typer.main.get_command(build_app())))


def test_the_reference_names_exactly_the_settings_that_exist() -> None:
    text = (REFERENCE / "cli.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"^\| `JUDGE_([A-Z_]+)`", text, re.M))
    assert documented == {name.upper() for name in Settings.model_fields}


def test_the_reference_names_exactly_the_routes_that_exist(routes: set[str]) -> None:
    text = (REFERENCE / "api.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"^\| `((?:GET|POST|PUT|PATCH|DELETE) /\S*)` \|", text, re.M))
    assert documented == routes


def test_the_help_of_every_command_shows_its_words_as_they_are_written() -> None:
    """Square brackets, too: `list[float]` is no markup."""
    app = build_app()
    bracketed = 0
    for name in commands(typer.main.get_command(app)):
        words = name.split()[1:]
        command: Any = typer.main.get_command(app)
        for word in words:
            command = command.commands[word]
        shown = "".join(CliRunner().invoke(app, [*words, "--help"]).output.split())
        written = [command.help, *(one.help for one in command.params if one.help)]
        bracketed += sum("[" in text for text in written)
        assert [text for text in written if "".join(text.split()) not in shown] == [], name
    assert bracketed
