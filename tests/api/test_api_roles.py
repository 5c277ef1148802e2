"""Who may call what: one table over every route, and what is withheld from whom."""

import pytest
from api_world import SLUG, SOURCE, World, judgement_of

OWN = "learner's submission"
WHO = ("anonymous", "other", "learner", "teacher", "admin")
WITH_BODY = ("POST", "PUT", "PATCH")
SUBMIT = {"language": "python", "source": SOURCE}

# Statuses in the order of WHO. "learner" is the owner of the submission; "other" has none.
# A row calls with tokens, so what only a session may do is refused with 403 here.
TABLE = [
    ("GET", "/healthz", (200, 200, 200, 200, 200)),
    ("GET", "/readyz", (503, 503, 503, 503, 503)),
    ("GET", "/api/v1/languages", (200, 200, 200, 200, 200)),
    ("POST", "/api/v1/auth/register", (422, 422, 422, 422, 422)),
    ("POST", "/api/v1/auth/login", (422, 422, 422, 422, 422)),
    ("POST", "/api/v1/auth/logout", (204, 204, 204, 204, 204)),
    # Without a secret.
    ("POST", "/api/v1/auth/links:check", (422, 422, 422, 422, 422)),
    ("POST", "/api/v1/auth/links:use", (422, 422, 422, 422, 422)),
    ("GET", "/api/v1/me", (401, 200, 200, 200, 200)),
    ("PATCH", "/api/v1/me", (401, 403, 403, 403, 403)),
    ("POST", "/api/v1/me/password", (401, 403, 403, 403, 403)),
    ("GET", "/api/v1/me/sessions", (401, 403, 403, 403, 403)),
    ("DELETE", "/api/v1/me/sessions/{session_id}", (401, 403, 403, 403, 403)),
    ("GET", "/api/v1/me/tokens", (401, 403, 403, 403, 403)),
    ("POST", "/api/v1/me/tokens", (401, 403, 403, 403, 403)),
    ("DELETE", "/api/v1/me/tokens/{token_id}", (401, 403, 403, 403, 403)),
    ("DELETE", "/api/v1/me", (401, 403, 403, 403, 403)),
    ("POST", "/api/v1/me/restore", (401, 403, 403, 403, 403)),
    ("POST", "/api/v1/me/export", (401, 403, 403, 403, 403)),
    ("GET", "/api/v1/me/exports/{export_id}", (401, 403, 403, 403, 403)),
    ("GET", "/api/v1/me/exports/{export_id}/archive", (401, 403, 403, 403, 403)),
    ("GET", "/api/v1/me/notices", (401, 200, 200, 200, 200)),
    ("POST", "/api/v1/me/notices/read", (401, 200, 200, 200, 200)),
    ("GET", "/api/v1/me/progress", (401, 200, 200, 200, 200)),
    ("GET", "/api/v1/problems", (200, 200, 200, 200, 200)),
    ("GET", "/api/v1/topics/graph", (200, 200, 200, 200, 200)),
    ("GET", "/api/v1/problems/{slug}", (200, 200, 200, 200, 200)),
    ("GET", "/api/v1/problems/{slug}/hints/{number}", (401, 403, 200, 200, 200)),
    ("GET", "/api/v1/problems/{slug}/solution", (401, 403, 200, 200, 200)),
    ("POST", "/api/v1/problems/{slug}/submissions", (401, 201, 201, 201, 201)),
    # Without a draft, and without If-Match.
    ("GET", "/api/v1/problems/{slug}/drafts/{language}", (401, 404, 404, 404, 404)),
    ("PUT", "/api/v1/problems/{slug}/drafts/{language}", (401, 428, 428, 428, 428)),
    ("DELETE", "/api/v1/problems/{slug}/drafts/{language}", (401, 428, 428, 428, 428)),
    ("POST", "/api/v1/problems/{slug}/runs", (401, 201, 201, 201, 201)),
    ("GET", "/api/v1/runs/{run_id}", (401, 404, 404, 404, 404)),
    ("POST", "/api/v1/submissions:batch", (401, 207, 207, 207, 207)),
    ("GET", "/api/v1/submissions", (401, 200, 200, 200, 200)),
    ("GET", "/api/v1/submissions/{submission_id}", (401, 404, 200, 404, 200)),
    ("GET", "/api/v1/submissions/{submission_id}/source", (401, 404, 200, 404, 200)),
    ("GET", "/api/v1/submissions/{submission_id}/judgements", (401, 404, 200, 404, 200)),
    # Only its owner's, who has nothing to try again and nothing that failed.
    ("GET", "/api/v1/submissions/{submission_id}/events", (401, 404, 200, 404, 404)),
    ("POST", "/api/v1/submissions/{submission_id}/retry", (401, 404, 409, 404, 404)),
    ("POST", "/api/v1/submissions/{submission_id}/reveal/{ordinal}", (401, 404, 409, 404, 404)),
    ("POST", "/api/v1/problems/{slug}/feedback", (401, 201, 201, 201, 201)),
    ("GET", "/api/v1/feedback", (401, 200, 200, 200, 200)),
    ("GET", "/api/v1/feedback/{feedback_id}", (401, 404, 200, 404, 200)),
    ("POST", "/api/v1/feedback/{feedback_id}/messages", (401, 404, 201, 404, 201)),
    # Without If-Match.
    ("PATCH", "/api/v1/feedback/{feedback_id}", (401, 404, 403, 404, 428)),
    ("GET", "/api/v1/scores", (401, 200, 200, 200, 200)),
    ("GET", "/api/v1/classes", (401, 200, 200, 200, 200)),
    ("POST", "/api/v1/classes", (401, 403, 403, 201, 201)),
    # With a code that no class has.
    ("POST", "/api/v1/classes/join", (401, 410, 410, 410, 410)),
    # A class that nobody has made; test_api_classes.py has one with members.
    ("GET", "/api/v1/classes/{class_id}", (401, 404, 404, 404, 404)),
    ("PATCH", "/api/v1/classes/{class_id}", (401, 403, 403, 404, 404)),
    ("POST", "/api/v1/classes/{class_id}/join-code", (401, 403, 403, 404, 404)),
    ("POST", "/api/v1/classes/{class_id}/accept", (401, 404, 404, 404, 404)),
    ("POST", "/api/v1/classes/{class_id}/leave", (401, 404, 404, 404, 404)),
    ("GET", "/api/v1/classes/{class_id}/members", (401, 404, 404, 404, 404)),
    ("PUT", "/api/v1/classes/{class_id}/members", (401, 403, 403, 404, 404)),
    ("DELETE", "/api/v1/classes/{class_id}/members/{account_id}", (401, 403, 403, 404, 404)),
    ("GET", "/api/v1/classes/{class_id}/gradebook", (401, 404, 404, 404, 404)),
    ("GET", "/api/v1/classes/{class_id}/assignments", (401, 404, 404, 404, 404)),
    ("POST", "/api/v1/classes/{class_id}/assignments", (401, 403, 403, 404, 404)),
    ("GET", "/api/v1/classes/{class_id}/assignments/{assignment_id}", (401, 404, 404, 404, 404)),
    ("PATCH", "/api/v1/classes/{class_id}/assignments/{assignment_id}", (401, 403, 403, 404, 404)),
    ("DELETE", "/api/v1/classes/{class_id}/assignments/{assignment_id}", (401, 403, 403, 404, 404)),
    ("GET", "/api/v1/me/assignments", (401, 200, 200, 200, 200)),
    ("GET", "/api/v1/problems/{slug}/revisions", (401, 403, 403, 200, 200)),
    ("GET", "/api/v1/admin/accounts", (401, 403, 403, 403, 200)),
    ("GET", "/api/v1/admin/accounts/{account_id}", (401, 403, 403, 403, 200)),
    # Without If-Match.
    ("PATCH", "/api/v1/admin/accounts/{account_id}", (401, 403, 403, 403, 428)),
    # No class binds the learner to the teacher.
    ("POST", "/api/v1/admin/accounts/{account_id}/reset-link", (401, 403, 403, 404, 201)),
    # Without a list.
    ("POST", "/api/v1/admin/accounts:import", (401, 403, 403, 403, 422)),
    ("GET", "/api/v1/admin/audit", (401, 403, 403, 403, 200)),
    # Without a class.
    ("POST", "/api/v1/admin/invitations", (401, 403, 403, 403, 201)),
    ("GET", "/api/v1/admin/problems/{slug}", (401, 403, 403, 200, 200)),
    # Without If-Match; the problem came with the judge, so it is no teacher's to change.
    ("PATCH", "/api/v1/admin/problems/{slug}", (401, 403, 403, 404, 428)),
    ("GET", "/api/v1/admin/revisions/{revision_id}/package", (401, 403, 403, 200, 200)),
    ("POST", "/api/v1/admin/revisions/{revision_id}/publish", (401, 403, 403, 404, 200)),
    ("GET", "/api/v1/admin/revisions/{revision_id}/verify", (401, 403, 403, 404, 200)),
    ("POST", "/api/v1/admin/revisions/{revision_id}/verify", (401, 403, 403, 404, 202)),
    # Without an archive.
    ("POST", "/api/v1/admin/problems:import", (401, 403, 403, 422, 422)),
    ("GET", "/api/v1/admin/rejudges", (401, 403, 403, 403, 200)),
    ("POST", "/api/v1/admin/rejudges", (401, 403, 403, 403, 201)),
    ("GET", "/api/v1/admin/rejudges/{rejudge_id}", (401, 403, 403, 404, 404)),
    ("POST", "/api/v1/admin/rejudges/{rejudge_id}/apply", (401, 403, 403, 403, 404)),
    ("POST", "/api/v1/admin/rejudges/{rejudge_id}/cancel", (401, 403, 403, 403, 404)),
]
BODIES = {
    "/api/v1/problems/{slug}/drafts/{language}": {"source": SOURCE},
    "/api/v1/problems/{slug}/runs": SUBMIT,
    "/api/v1/submissions:batch": {"items": [{"problem": SLUG, **SUBMIT}]},
    "/api/v1/me/notices/read": {"all": True},
    "/api/v1/problems/{slug}/feedback": {"kind": "idea", "body": "More samples."},
    "/api/v1/feedback/{feedback_id}/messages": {"body": "And hints."},
    "/api/v1/problems/{slug}/submissions": SUBMIT,
    "/api/v1/admin/rejudges": {"problem": SLUG},
    "/api/v1/classes": {"name": "Decoding"},
    "/api/v1/classes/join": {"code": "none"},
    "/api/v1/classes/{class_id}/assignments": {"problem": SLUG},
    "/api/v1/classes/{class_id}/members": {"members": []},
}


@pytest.fixture
def submission_id(world: World) -> str:
    return world.submit_and_judge(judgement_of(world.package))


def owned_ids(world: World) -> dict[str, str]:
    """What else is the learner's, by the name that it has in a route."""
    learner = world.client("learner")
    body = {"kind": "test", "body": "Test 4 cannot be right."}
    feedback = learner.post(f"/api/v1/problems/{SLUG}/feedback", json=body)
    return {"feedback_id": feedback.json()["id"]}


@pytest.mark.parametrize(("method", "route", "statuses"), TABLE)
def test_every_role_on_every_route(
    world: World, submission_id: str, method: str, route: str, statuses: tuple[int, ...]
) -> None:
    path = route.format(
        slug=SLUG,
        number=1,
        language="python",
        ordinal=4,
        submission_id=submission_id,
        token_id="tok_" + "0" * 32,
        export_id="exp_" + "0" * 32,
        revision_id=f"rev_{world.published.revision_id}",
        rejudge_id="rej_" + "0" * 32,
        class_id="cls_" + "0" * 32,
        assignment_id="asg_" + "0" * 32,
        account_id=f"acc_{world.accounts['learner']}",
        session_id="ses_" + "0" * 32,
        run_id="run_" + "0" * 32,
        **owned_ids(world),
    )
    body = BODIES.get(route, {})
    seen = []
    for who in WHO:
        client = world.anonymous() if who == "anonymous" else world.client(who)
        answer = client.request(method, path, json=body if method in WITH_BODY else None)
        seen.append(answer.status_code)
    assert tuple(seen) == statuses


def test_the_table_names_every_route(world: World) -> None:
    document = world.anonymous().get("/api/v1/openapi.json").json()
    served = {
        (method.upper(), path) for path, methods in document["paths"].items() for method in methods
    }
    assert served == {(method, route) for method, route, _ in TABLE}


# Asking for the rows of the account "learner", and for everybody's.
LISTS = [
    ("/api/v1/submissions?account=learner", (401, 403, 200, 403, 200)),
    ("/api/v1/submissions?account=*", (401, 403, 403, 403, 200)),
    ("/api/v1/scores?account=learner", (401, 403, 200, 403, 200)),
    ("/api/v1/scores?account=*", (401, 403, 403, 403, 200)),
]


@pytest.mark.parametrize(("path", "statuses"), LISTS)
def test_only_admins_ask_for_other_accounts(
    world: World, submission_id: str, path: str, statuses: tuple[int, ...]
) -> None:
    clients = (world.anonymous() if who == "anonymous" else world.client(who) for who in WHO)
    assert tuple(client.get(path).status_code for client in clients) == statuses


@pytest.mark.parametrize("path", ["/api/v1/submissions", "/api/v1/scores"])
def test_a_teacher_finds_no_work_of_others(world: World, submission_id: str, path: str) -> None:
    teacher = world.client("teacher")
    assert teacher.get(path).json()["items"] == []
    for account in ("learner", "nobody"):
        refused = teacher.get(path, params={"account": account})
        assert (refused.status_code, refused.json()["code"]) == (403, "admin-only")
