"""Fixtures of the API tests: one judge with a problem full of canaries, and one client a role."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from api_world import World

from judge.settings import Settings


@pytest.fixture
def world(tmp_path: Path, database_url: str) -> Iterator[World]:
    """A served judge; nothing is judged but what a test records itself."""
    settings = Settings(data_dir=tmp_path, database_url=database_url, chores=False)
    with World(settings) as served:
        yield served
