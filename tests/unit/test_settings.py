"""Settings come from the environment, and few of them are needed."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from judge.settings import Settings


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"JUDGE_{name.upper()}", raising=False)


def test_the_database_lies_in_the_data_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("JUDGE_DATA_DIR", str(tmp_path))
    assert Settings().database_url == f"sqlite:///{tmp_path / 'judge.db'}"
    monkeypatch.setenv("JUDGE_DATABASE_URL", "postgresql://judge@db/judge")
    assert Settings().database_url == "postgresql://judge@db/judge"


def test_a_relative_data_folder_is_one_of_the_working_directory(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert Settings().data_dir == tmp_path / ".data"
    monkeypatch.setenv("JUDGE_DATA_DIR", "here")
    settings = Settings()
    assert settings.data_dir == tmp_path / "here"
    assert settings.database_url == f"sqlite:///{tmp_path / 'here' / 'judge.db'}"


def test_the_public_address_is_an_origin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_PUBLIC_URL", "https://judge.example/")
    assert Settings().public_url == "https://judge.example"
    monkeypatch.setenv("JUDGE_PUBLIC_URL", "judge.example")
    with pytest.raises(ValidationError):
        Settings()


def test_that_strangers_may_run_code_below_tier_a_must_be_said_in_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert Settings().registration == "open"
    monkeypatch.setenv("JUDGE_REGISTRATION", "open-in-any-tier")
    assert Settings().registration == "open-in-any-tier"
    monkeypatch.setenv("JUDGE_REGISTRATION", "yes")
    with pytest.raises(ValidationError):
        Settings()


def test_settings_are_frozen_and_few() -> None:
    with pytest.raises(ValidationError):
        Settings().registration = "closed"
    assert len(Settings.model_fields) <= 25
