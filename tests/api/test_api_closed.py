"""A judge where only an admin creates accounts, behind a proxy with TLS."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from api_world import World
from starlette.testclient import TestClient

from judge.actions.accounts import NewAccount, create_account
from judge.settings import Settings


@pytest.fixture
def client(tmp_path: Path, sqlite_url: str) -> Iterator[TestClient]:
    settings = Settings(
        data_dir=tmp_path,
        database_url=sqlite_url,
        registration="closed",
        public_url="https://judge.example/",
    )
    with World(settings) as world:
        create_account(world.database, NewAccount("ada", "correct horse"))
        yield world.anonymous()


def test_nobody_registers(client: TestClient) -> None:
    answer = client.post(
        "/api/v1/auth/register", json={"handle": "bob", "password": "correct horse"}
    )
    assert (answer.status_code, answer.json()["code"]) == (403, "registration-closed")


def test_the_public_address_decides_about_cookies_and_origins(client: TestClient) -> None:
    answer = client.post(
        "/api/v1/auth/login",
        json={"handle": "ada", "password": "correct horse"},
        headers={"Origin": "https://judge.example"},
    )
    assert answer.status_code == 200
    assert "Secure" in answer.headers["set-cookie"]
