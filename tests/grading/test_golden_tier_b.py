"""The attacks of the catalogue where boxes have no namespaces: see the module golden."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import golden
import pytest
from _pytest.mark.structures import ParameterSet
from grading_packages import start_grader

from judge.grading.pipeline import Grader
from judge.harness.languages import LANGUAGES, PYTHON
from submissions_sandbox import Tier

CATALOGUE = Path(__file__).parent / "catalogue.toml"


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    """A grader that isolates as a machine without user namespaces does."""
    grader = start_grader(tiers=(Tier.B,))
    yield grader
    grader.__exit__(None, None, None)


@pytest.fixture(scope="module")
def rest(grader: Grader) -> tuple[int, int]:
    return golden.held_at_rest(grader)


def parameters() -> list[ParameterSet]:
    """All folders of the catalogue; those that differ in this tier run always, in Python."""
    lines = tomllib.loads(CATALOGUE.read_text())["line"]
    differ = {name for line in lines if "tier_b" in line for name in line.get("cases", [])}
    listed = {name for line in lines for name in line.get("cases", [])}
    made = []
    for language in LANGUAGES:
        for folder in golden.folders(language):
            if folder.name not in listed:
                continue
            is_slow = golden.read_expected(folder).get("slow", False)
            runs_always = folder.name in differ and language == PYTHON and not is_slow
            marks = [] if runs_always else [pytest.mark.slow]
            made.append(pytest.param(folder, language, id=folder.name, marks=marks))
    return made


@pytest.mark.parametrize(("folder", "language"), parameters())
def test_a_source_gets_the_judgement_that_it_must_get(
    folder: Path, language: str, grader: Grader, rest: tuple[int, int]
) -> None:
    _, judgement = golden.judge_folder(grader, folder, language)
    assert judgement.runner["tier"] == "B"
    golden.assert_next_honest_submission_is_accepted(grader, language)
    golden.assert_nothing_is_left(grader, rest)
    source = (folder / LANGUAGES[language].file_name).read_bytes()
    golden.assert_nothing_is_shown_of(("root:x:",), source, judgement)
