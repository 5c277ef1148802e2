"""Every operation's own example works against a served judge, and is answered in its shape.

An example names things that are not there: ``SEEDS`` says what stands in for them, by the name of
the parameter in the path; ``PLANS`` what else an operation needs before its example can work.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from api_world import SLUG, SOURCE, World, add_worker, judgement_of, set_role
from jsonschema import Draft202012Validator
from sqlalchemy import delete
from starlette.testclient import TestClient
from upload_calls import named

from judge.actions.export_data import make_next_export
from judge.db.tables import api_token, job
from judge.packages.files import to_zip

V1 = "/api/v1"
# Reading comes first; what ends something comes last.
Seed = Callable[[World, Mapping[str, str]], str]
ORDER = ("GET", "POST", "PUT", "PATCH", "DELETE")
# What clients build on, as httpx spells it.
HEADERS = {
    *("content-disposition", "content-language", "etag", "idempotent-replayed", "link"),
    *("location", "preference-applied", "retry-after", "www-authenticate"),
}


@dataclass(frozen=True)
class Plan:
    """How an operation's example is called.

    Attributes:
        who: the account; None for nobody.
        has_session: with a cookie rather than with a token.
        seeds: what stands in for parameters of the path, besides SEEDS.
        changes: members of the body that name something else than the example does.
        content: the body, where the example is none.
        before: what must have happened.
        headers: what must be sent, made just before the call.
        fresh: members of the body that are made just before the call.
    """

    who: str | None = "admin"
    has_session: bool = False
    seeds: Mapping[str, Seed] = field(default_factory=dict)
    changes: Mapping[str, Any] = field(default_factory=dict)
    content: Callable[[], bytes] | None = None
    before: Callable[[World], None] = lambda world: None
    headers: Callable[[World], Mapping[str, str]] = lambda world: {}
    fresh: Callable[[World], Mapping[str, Any]] = lambda world: {}


def drop_runs(world: World) -> None:
    """Nobody takes runs here, and judge_next takes submissions only."""
    with world.database.write() as connection:
        connection.execute(delete(job).where(job.c.kind == "run"))


def drop_tokens(world: World) -> None:
    """An account has only so many."""
    with world.database.write() as connection:
        connection.execute(delete(api_token).where(api_token.c.name == "test"))


def judged_submission(world: World) -> str:
    drop_runs(world)
    return world.submit_and_judge(judgement_of(world.package), "admin")


def accept_something(world: World) -> None:
    close_rejudges(world)
    submission = judged_submission(world)
    while world.client("admin").get(f"{V1}/submissions/{submission}").json()["score"] is None:
        world.judge_next(judgement_of(world.package))


def revision(world: World) -> str:
    return f"rev_{world.published.revision_id}"


def token(world: World) -> str:
    client = in_session(world)
    made = client.post(f"{V1}/me/tokens", json={"name": "n", "scopes": ["problems:read"]})
    return str(made.json()["id"])


def close_rejudges(world: World) -> None:
    admin = world.client("admin")
    for one in admin.get(f"{V1}/admin/rejudges").json()["items"]:
        if one["state"] == "preview":
            admin.post(f"{V1}/admin/rejudges/{one['id']}/cancel", json={})


def finished_rejudge(world: World) -> str:
    """A preview that can be applied; no other one is open."""
    close_rejudges(world)
    admin = world.client("admin")
    made = admin.post(f"{V1}/admin/rejudges", json={"problem": SLUG, "account": "learner"})
    path = f"{V1}/admin/rejudges/{made.json()['id']}"
    drop_runs(world)
    while admin.get(path).json()["pending"]:
        world.judge_next(judgement_of(world.package))
    return str(made.json()["id"])


def thread(world: World) -> str:
    body = {"kind": "test", "body": "Test 4 cannot be right."}
    made = world.client("admin").post(f"{V1}/problems/{SLUG}/feedback", json=body)
    return str(made.json()["id"])


def thread_etag(world: World) -> Mapping[str, str]:
    admin = world.client("admin")
    newest = admin.get(f"{V1}/feedback?limit=1").json()["items"][0]["id"]
    return {"If-Match": admin.get(f"{V1}/feedback/{newest}").headers["ETag"]}


def export(world: World) -> str:
    """One that is ready, of the account that signs in."""
    ours = {"Sec-Fetch-Site": "same-origin"}
    asked = in_session(world).post(f"{V1}/me/export", headers=ours).json()
    assert make_next_export(world.database, "maker")
    return str(asked["id"])


def register_ada(world: World) -> None:
    account = {"handle": "ada", "password": "correct horse"}
    assert world.anonymous().post(f"{V1}/auth/register", json=account).status_code == 201


def school_class(world: World) -> str:
    """A fresh class of the admin's, with a learner and an assignment of its only problem."""
    body = {"name": "A class", "locale": "en", "time_zone": "UTC"}
    made = world.client("admin").post(f"{V1}/classes", json=body)
    assert made.status_code == 201, made.text
    class_id = str(made.json()["id"])
    joined = world.client("learner").post(
        f"{V1}/classes/join", json={"code": made.json()["join_code"]}
    )
    assert joined.status_code == 200, joined.text
    return class_id


def run(world: World) -> str:
    body = {"language": "python", "source": SOURCE}
    made = world.client("admin").post(f"{V1}/problems/{SLUG}/runs", json=body)
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


def assignment(world: World, seeded: Mapping[str, str]) -> str:
    given = world.client("admin").post(
        f"{V1}/classes/{seeded['class_id']}/assignments", json={"problem": SLUG}
    )
    assert given.status_code == 201, given.text
    return str(given.json()["id"])


def session(world: World) -> str:
    in_session(world)
    other = in_session(world).get(f"{V1}/me/sessions").json()["items"]
    return str(next(one["id"] for one in other if not one["is_current"]))


SEEDS: dict[str, Seed] = {
    "account_id": lambda world, seeded: f"acc_{world.accounts['learner']}",
    "assignment_id": assignment,
    "class_id": lambda world, seeded: school_class(world),
    "export_id": lambda world, seeded: export(world),
    "feedback_id": lambda world, seeded: thread(world),
    "language": lambda world, seeded: "python",
    "number": lambda world, seeded: "1",
    "ordinal": lambda world, seeded: "1",
    "rejudge_id": lambda world, seeded: finished_rejudge(world),
    "revision_id": lambda world, seeded: revision(world),
    "run_id": lambda world, seeded: run(world),
    "session_id": lambda world, seeded: session(world),
    "slug": lambda world, seeded: SLUG,
    "submission_id": lambda world, seeded: judged_submission(world),
    "token_id": lambda world, seeded: token(world),
}


def failed_submission(world: World) -> str:
    drop_runs(world)
    return world.submit_and_judge(None, "admin")


def saved_draft(world: World) -> None:
    """A draft of the admin's, whatever there was."""
    path = f"{V1}/problems/{SLUG}/drafts/python"
    client = world.client("admin")
    there = client.get(path)
    held = {"If-Match": there.headers["ETag"]} if there.is_success else {"If-None-Match": "*"}
    assert client.put(path, json={"source": SOURCE}, headers=held).is_success


def draft_etag(world: World) -> Mapping[str, str]:
    saved_draft(world)
    path = f"{V1}/problems/{SLUG}/drafts/python"
    return {"If-Match": world.client("admin").get(path).headers["ETag"]}


def reset_token(world: World) -> Mapping[str, Any]:
    """The secret of a link that sets the learner's password."""
    path = f"{V1}/admin/accounts/acc_{world.accounts['other']}/reset-link"
    made = world.client("admin").post(path, json={})
    assert made.is_success, made.text
    return {"token": made.json()["url"].partition("token=")[2]}


def join_code(world: World) -> Mapping[str, Any]:
    body = {"name": "Another class"}
    return {"code": world.client("admin").post(f"{V1}/classes", json=body).json()["join_code"]}


def invited_class(world: World) -> str:
    """A class of the teacher's that has invited the learner."""
    made = world.client("teacher").post(f"{V1}/classes", json={"name": "Invited"}).json()
    listed = {"members": [{"handle": "learner"}]}
    assert world.client("teacher").put(f"{V1}/classes/{made['id']}/members", json=listed).is_success
    return str(made["id"])


PLANS: dict[str, Plan] = {
    "GET /api/v1/problems/{slug}/drafts/{language}": Plan(before=saved_draft),
    "PUT /api/v1/problems/{slug}/drafts/{language}": Plan(headers=draft_etag),
    "DELETE /api/v1/problems/{slug}/drafts/{language}": Plan(headers=draft_etag),
    "POST /api/v1/auth/links:check": Plan(who=None, fresh=reset_token),
    "POST /api/v1/auth/links:use": Plan(who=None, fresh=reset_token),
    "POST /api/v1/admin/invitations": Plan(changes={"class": None}),
    "POST /api/v1/classes/join": Plan(who="learner", fresh=join_code),
    "POST /api/v1/classes/{class_id}/leave": Plan(who="learner"),
    "POST /api/v1/classes/{class_id}/accept": Plan(
        who="learner", seeds={"class_id": lambda world, seeded: invited_class(world)}
    ),
    "POST /api/v1/auth/login": Plan(who=None, before=register_ada),
    "POST /api/v1/auth/logout": Plan(has_session=True),
    "POST /api/v1/auth/register": Plan(who=None, changes={"handle": "grace"}),
    "PATCH /api/v1/feedback/{feedback_id}": Plan(
        changes={"assignee": "admin"}, headers=thread_etag
    ),
    "DELETE /api/v1/me": Plan(has_session=True),
    "POST /api/v1/me/restore": Plan(has_session=True),
    "POST /api/v1/me/export": Plan(has_session=True),
    "GET /api/v1/me/exports/{export_id}": Plan(has_session=True),
    "GET /api/v1/me/exports/{export_id}/archive": Plan(has_session=True),
    "GET /api/v1/me/tokens": Plan(has_session=True),
    "POST /api/v1/me/tokens": Plan(has_session=True),
    "DELETE /api/v1/me/tokens/{token_id}": Plan(has_session=True),
    "POST /api/v1/problems/{slug}/submissions": Plan(changes={"source": SOURCE}),
    "POST /api/v1/admin/problems:import": Plan(content=lambda: to_zip(named("new_problem"))),
    "POST /api/v1/admin/rejudges": Plan(
        changes={"problem": SLUG, "verdict": "accepted"},
        before=accept_something,
    ),
    "GET /api/v1/me/sessions": Plan(has_session=True),
    "DELETE /api/v1/me/sessions/{session_id}": Plan(has_session=True),
    "PATCH /api/v1/me": Plan(has_session=True),
    "POST /api/v1/me/password": Plan(has_session=True, changes={"new": "correct horse"}),
    "POST /api/v1/problems/{slug}/runs": Plan(changes={"cases": "samples", "reference": False}),
    "POST /api/v1/submissions/{submission_id}/retry": Plan(
        seeds={"submission_id": lambda world, seeded: failed_submission(world)}
    ),
    "POST /api/v1/classes/{class_id}/assignments": Plan(changes={"problem": SLUG}),
}


def in_session(world: World) -> TestClient:
    """The client with the cookie of an admin instead of a token."""
    client = world.anonymous()
    account = {"handle": "turing", "password": "correct horse"}
    signed_in = client.post(f"{V1}/auth/login", json=account)
    if signed_in.status_code != 200:
        signed_in = client.post(f"{V1}/auth/register", json=account)
    set_role(world.database, signed_in.json()["id"].removeprefix("acc_"), "admin")
    return client


def client_of(world: World, plan: Plan) -> TestClient:
    if plan.who is None:
        return world.anonymous()
    return in_session(world) if plan.has_session else world.client(plan.who)


def call(world: World, name: str, operation: dict[str, Any]) -> Any:
    """The answer to an operation's example."""
    plan = PLANS.get(name, Plan())
    method, _, path = name.partition(" ")
    drop_tokens(world)
    plan.before(world)
    wanted = [one["name"] for one in operation.get("parameters", []) if one["in"] == "path"]
    seeds = {**SEEDS, **plan.seeds}
    seeded: dict[str, str] = {}
    for one in wanted:
        seeded[one] = seeds[one](world, seeded)
    sent = {"Sec-Fetch-Site": "same-origin", **plan.headers(world)}
    content = None
    if "requestBody" in operation:
        media_type, body = next(iter(operation["requestBody"]["content"].items()))
        sent["Content-Type"] = media_type
        if plan.content is not None:
            content = plan.content()
        elif media_type == "application/json":
            stated = {**body["example"], **plan.changes, **plan.fresh(world)}
            content = json.dumps(stated).encode()
        else:
            content = str(body["example"]).encode()
    client = client_of(world, plan)
    needed = {one["name"].lower() for one in operation.get("parameters", []) if one["required"]}
    if "if-match" in needed:
        sent["If-Match"] = client.get(path.format(**seeded)).headers["ETag"]
    return client.request(method, path.format(**seeded), content=content, headers=sent)


def unnamed_headers(answer: Any, operation: dict[str, Any]) -> list[str]:
    """Headers of an answer that a client may build on, and the document does not name."""
    responses = operation["responses"]
    declared = responses.get(str(answer.status_code), responses.get("default", {}))
    named = {name.lower() for name in declared.get("headers", {})}
    return sorted(HEADERS & set(answer.headers) - named)


def flaws_of(answer: Any, operation: dict[str, Any], document: dict[str, Any]) -> list[str]:
    """What is not as the document says."""
    declared = operation["responses"].get(str(answer.status_code))
    if declared is None or answer.status_code >= 300:
        return [f"{answer.status_code} {answer.text[:300]}"]
    if unnamed := unnamed_headers(answer, operation):
        return [f"headers that are not declared: {unnamed}"]
    if answer.status_code == 204:
        return []
    media_type = answer.headers["content-type"].partition(";")[0]
    if media_type not in declared["content"]:
        return [f"not declared: {media_type}"]
    if media_type != "application/json":
        return []
    schema = {**declared["content"][media_type]["schema"], "components": document["components"]}
    errors = Draft202012Validator(schema).iter_errors(answer.json())
    return [f"{error.json_path}: {error.message[:200]}" for error in errors]


@pytest.mark.slow
def test_every_example_works(world: World) -> None:
    add_worker(world.database)
    world.submit_and_judge(judgement_of(world.package))
    document = world.anonymous().get(f"{V1}/openapi.json").json()
    operations = {
        f"{method.upper()} {path}": operation
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }
    assert set(PLANS) <= set(operations)
    flaws = {}
    for name in sorted(operations, key=lambda name: ORDER.index(name.partition(" ")[0])):
        found = flaws_of(call(world, name, operations[name]), operations[name], document)
        if found:
            flaws[name] = found
    assert not flaws, "\n".join(f"{name}: {found}" for name, found in flaws.items())
