"""Schemathesis, with all its checks and in sequences of calls, finds nothing for any role."""

import json
from datetime import timedelta
from typing import Any

import pytest
import schemathesis
from api_world import World, add_worker, judgement_of
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import events, from_schema
from sqlalchemy import update

from judge.db.tables import worker
from judge.db.types import now
from judge.settings import Settings

pytestmark = pytest.mark.slow
SEED = 1
# Who calls, with what, and how many requests of each kind to invent.
CALLERS = [
    ("learner", "token", 10),
    ("teacher", "token", 10),
    ("admin", "token", 20),
    ("learner", "session", 5),
    ("anonymous", "nothing", 5),
]


@pytest.fixture
def served(tmp_path: Any, sqlite_url: str) -> World:
    """A judge with something to read, where nobody waits. Schemathesis starts and ends it."""
    world = World(Settings(data_dir=tmp_path, database_url=sqlite_url, max_waiting=0))
    add_worker(world.database)
    with world.database.write() as connection:
        # It need not report again while the test runs.
        connection.execute(update(worker).values(heartbeat_at=now() + timedelta(hours=1)))
    world.submit_and_judge(judgement_of(world.package))
    return world


def credentials_of(world: World, handle: str, credential: str) -> dict[str, Any]:
    """As Schemathesis is told them: it also tries what happens without."""
    if credential == "token":
        return {"headers": {"Authorization": f"Bearer {world.token(handle)}"}}
    if credential == "session":
        cookie = world.browser(handle).cookies["judge_session"]
        return {
            "headers": {"Sec-Fetch-Site": "same-origin"},
            "auth": {"openapi": {"session": {"api_key": cookie}}},
        }
    return {}


def config_for(world: World, handle: str, credential: str, most: int) -> SchemathesisConfig:
    return SchemathesisConfig.from_dict(
        {
            "seed": SEED,
            "generation": {"max-examples": most, "database": "none"},
            **credentials_of(world, handle, credential),
        }
    )


def is_rule_of_the_domain(check: str, answer: Any) -> bool:
    """A refusal of a well-formed request that no schema can foretell.

    ``invalid-request`` says that a request has not the shape that the document promises. Any other
    code of 422 names a rule beyond shapes: a cursor that was given by this call, an archive that
    holds a package, an address of e-mail. Nor is an ETag that somebody invents ever the right one
    (412), and a change may need one of two headers (428); nor is a code or link that was taken away
    any good (410).
    """
    if answer is None:
        return False
    if check == "missing_required_header":
        # That is what 428 says (RFC 6585); the check does not know it.
        return bool(answer.status_code == 428)
    if check != "positive_data_acceptance":
        return False
    if answer.status_code in (410, 412, 428):
        return True
    return answer.status_code == 422 and json.loads(answer.content)["code"] != "invalid-request"


@pytest.mark.parametrize(("handle", "credential", "most"), CALLERS)
def test_schemathesis_finds_nothing(served: World, handle: str, credential: str, most: int) -> None:
    schema = schemathesis.openapi.from_asgi(
        "/api/v1/openapi.json", served.app, config=config_for(served, handle, credential, most)
    )
    found, phases = [], set()
    for event in from_schema(schema).execute():
        if isinstance(event, events.NonFatalError | events.FatalError):
            found.append(str(vars(event) if hasattr(event, "__dict__") else event))
        if isinstance(event, events.ScenarioFinished):
            phases.add(event.phase.value.lower())
            found += failures(event.recorder)
    assert not found, "\n".join(found)
    assert {"examples", "coverage", "fuzzing", "stateful"} <= phases


def failures(recorder: Any) -> list[str]:
    found = []
    for case_id, checks in recorder.checks.items():
        answer = recorder.find_response(case_id=case_id)
        for check in checks:
            if check.failure_info is None or is_rule_of_the_domain(check.name, answer):
                continue
            case = recorder.cases[case_id].value
            called = f"{case.method} {case.formatted_path} {case.query} {case.body!r}"[:500]
            answered = "" if answer is None else f"{answer.status_code} {answer.text[:500]}"
            message = f"{check.failure_info.failure.message} {answered}"
            found.append(f"{recorder.label}: {check.name}: {called}: {message}")
    return found
