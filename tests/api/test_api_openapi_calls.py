"""What the OpenAPI document says of headers and scopes is what calls meet."""

from typing import Any

import pytest
from api_world import SLUG, SOURCE, World
from test_api_examples import unnamed_headers

from judge.domain.access import Scope

V1 = "/api/v1"
DRAFT = f"{V1}/problems/{SLUG}/drafts/python"
PREFIXES = {
    "account": "acc",
    "assignment": "asg",
    "class": "cls",
    "export": "exp",
    "feedback": "fbk",
    "rejudge": "rej",
    "revision": "rev",
    "run": "run",
    "session": "ses",
    "submission": "sub",
    "token": "tok",
}
NOTHING_THERE = {f"{kind}_id": f"{prefix}_{'0' * 32}" for kind, prefix in PREFIXES.items()}
Operations = dict[str, dict[str, Any]]


@pytest.fixture
def operations(world: World) -> Operations:
    document = world.anonymous().get(f"{V1}/openapi.json").json()
    return {
        f"{method.upper()} {path}": operation
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


def call(client: Any, name: str) -> Any:
    method, _, path = name.partition(" ")
    known = {"slug": SLUG, "number": 1, "ordinal": 1, "language": "python"}
    body = {} if method in ("POST", "PUT", "PATCH") else None
    return client.request(method, path.format(**known, **NOTHING_THERE), json=body)


def with_token(world: World, token: str) -> Any:
    client = world.anonymous()
    client.headers["Authorization"] = f"Bearer {token}"
    return client


def tokens_of(operation: dict[str, Any]) -> set[str]:
    """The scopes any of which a token needs."""
    return {scope for one in operation["security"] for scope in one.get("token", ())}


@pytest.mark.parametrize("who", [None, "learner"])
def test_no_answer_sends_a_header_that_is_not_named(
    world: World, operations: Operations, who: str | None
) -> None:
    client = world.anonymous() if who is None else world.client(who)
    flaws = {}
    for name, operation in operations.items():
        answer = call(client, name)
        if found := unnamed_headers(answer, operation):
            flaws[f"{name} {answer.status_code}"] = found
    assert flaws == {}


def test_a_token_without_the_scopes_that_are_named_is_refused(
    world: World, operations: Operations
) -> None:
    """And the refusal names one of them."""
    tokens: dict[frozenset[str], str] = {}
    for name, operation in operations.items():
        needed = tokens_of(operation)
        if not needed:
            continue
        others = frozenset(Scope) - needed
        if others not in tokens:
            tokens[others] = world.token("admin", *sorted(others))
        answer = call(with_token(world, tokens[others]), name)
        assert answer.status_code == 403, (name, answer.text)
        problem = answer.json()
        assert problem["code"] == "missing-scope", name
        assert set(problem["needed"]) <= needed, name


def test_a_token_with_any_of_the_scopes_that_are_named_is_enough(
    world: World, operations: Operations
) -> None:
    tokens: dict[str, str] = {}
    for name, operation in operations.items():
        for scope in tokens_of(operation):
            if scope not in tokens:
                tokens[scope] = world.token("admin", scope)
            answer = call(with_token(world, tokens[scope]), name)
            assert "missing-scope" not in answer.text, (name, scope)


def test_what_takes_a_session_only_refuses_every_token(
    world: World, operations: Operations
) -> None:
    client = world.client("admin")
    only = [name for name, one in operations.items() if one["security"] == [{"session": []}]]
    assert {call(client, name).json()["code"] for name in only} == {"session-only"}


def test_a_replayed_answer_and_a_preference_are_named(world: World, operations: Operations) -> None:
    client = world.client("learner")
    headers = {"Idempotency-Key": "k", "Prefer": "wait=0"}
    body = {"language": "python", "source": SOURCE}
    path = f"{V1}/problems/{SLUG}/runs"
    first, second = (client.post(path, json=body, headers=headers) for _ in range(2))
    assert first.headers["Preference-Applied"] == "wait=0"
    assert second.headers["Idempotent-Replayed"] == "true"
    operation = operations[f"POST {V1}/problems/{{slug}}/runs"]
    assert [unnamed_headers(one, operation) for one in (first, second)] == [[], []]


@pytest.mark.parametrize("path", [DRAFT, f"{V1}/problems/{SLUG}"])
def test_what_is_known_already_has_its_headers_named(
    world: World, operations: Operations, path: str
) -> None:
    client = world.client("learner")
    client.put(DRAFT, json={"source": SOURCE}, headers={"If-None-Match": "*"})
    known = {"If-None-Match": client.get(path).headers["ETag"]}
    same = client.get(path, headers=known)
    operation = operations["GET " + path.replace(SLUG, "{slug}").replace("python", "{language}")]
    assert "if-none-match" in {one["name"] for one in operation["parameters"]}
    assert same.status_code == 304
    assert unnamed_headers(same, operation) == []


def test_a_page_and_a_conflict_have_their_headers_named(
    world: World, operations: Operations
) -> None:
    client = world.client("learner")
    saved, refused = (
        client.put(DRAFT, json={"source": SOURCE}, headers={"If-None-Match": "*"}) for _ in range(2)
    )
    assert (saved.status_code, refused.status_code) == (200, 412)
    put = operations[f"PUT {V1}/problems/{{slug}}/drafts/{{language}}"]
    assert unnamed_headers(saved, put) == unnamed_headers(refused, put) == []
    for body in ("More samples.", "Fewer samples."):
        client.post(f"{V1}/problems/{SLUG}/feedback", json={"kind": "idea", "body": body})
    page = client.get(f"{V1}/feedback?limit=1")
    assert "Link" in page.headers
    assert unnamed_headers(page, operations[f"GET {V1}/feedback"]) == []
