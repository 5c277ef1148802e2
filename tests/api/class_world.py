"""A class in the served judge: made, joined and given problems over the API."""

import time
from typing import Any

from api_world import (
    SLUG,
    SOURCE,
    World,
    canary_package,
    judgement_of,
    publish_package,
    set_role,
)
from package_builder import JUDGE_YAML
from queue_rows import add_account
from sqlalchemy import update
from starlette.testclient import TestClient

from judge.db.tables import account
from judge.db.types import now
from judge.domain.submission import CaseResult
from judge.domain.verdicts import Reason, Verdict


class ClassWorld:
    """The class of ``teacher``, which ``learner`` has joined; ``other`` has not."""

    def __init__(self, world: World, **fields: Any) -> None:
        self.world = world
        made = self.teacher().post("/api/v1/classes", json={"name": "Decoding", **fields})
        assert made.status_code == 201, made.text
        self.made = made.json()
        self.id: str = self.made["id"]
        self.code: str = self.made["join_code"]
        self.path = f"/api/v1/classes/{self.id}"
        self.join("learner")

    def teacher(self, *scopes: str) -> TestClient:
        return self.world.client("teacher", *scopes)

    def join(self, handle: str) -> None:
        answer = self.world.client(handle).post("/api/v1/classes/join", json={"code": self.code})
        assert answer.status_code == 200, answer.text

    def assign(self, slug: str = SLUG, **fields: Any) -> dict[str, Any]:
        answer = self.teacher().post(f"{self.path}/assignments", json={"problem": slug, **fields})
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    def add_person(self, handle: str, role: str = "learner", name: str = "") -> str:
        """An account; its id as the API shows it."""
        account_id = add_account(self.world.database, handle)
        self.world.accounts[handle] = account_id
        set_role(self.world.database, account_id, role)
        if name:
            with self.world.database.write() as connection:
                connection.execute(
                    update(account).where(account.c.id == account_id).values(display_name=name)
                )
        return f"acc_{account_id}"

    def put(self, content: str | bytes, kind: str = "text/csv", **query: Any) -> Any:
        """Send a list as the teacher."""
        return self.teacher().put(
            f"{self.path}/members",
            content=content.encode() if isinstance(content, str) else content,
            headers={"Content-Type": kind},
            params=query,
        )

    def members(self) -> dict[str, dict[str, Any]]:
        items = self.teacher().get(f"{self.path}/members").json()["items"]
        return {item["handle"]: item for item in items}

    def scores(self, handle: str = "teacher", **query: Any) -> list[dict[str, Any]]:
        answer = self.world.client(handle).get("/api/v1/scores", params={"class": self.id, **query})
        assert answer.status_code == 200, answer.text
        return list(answer.json()["items"])

    def gradebook(self, **query: Any) -> dict[str, Any]:
        answer = self.teacher().get(f"{self.path}/gradebook", params=query)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def cell(self, handle: str = "learner", column: int = 0, **query: Any) -> dict[str, Any]:
        rows = self.gradebook(**query)["rows"]
        return dict(next(row for row in rows if row["handle"] == handle)["cells"][column])


def add_problem(world: World, slug: str) -> None:
    """Another problem with the same tests as the world's."""
    changes = {"judge.yaml": JUDGE_YAML.replace("name: count_large", f"name: {slug}")}
    publish_package(world.database, canary_package(changes))


def hand_in(
    world: World, handle: str, slug: str = SLUG, *, earned: int | None = 100
) -> dict[str, Any]:
    """Submit and judge: 0, 40, 60 or 100 points, None for the judge's own fault."""
    body = {"language": "python", "source": SOURCE}
    answer = world.client(handle).post(f"/api/v1/problems/{slug}/submissions", json=body)
    assert answer.status_code == 201, answer.text
    failing = {
        case: CaseResult(case, Verdict.WRONG_ANSWER, Reason.WRONG_VALUE)
        for case, points in (("secret/10-basic/01", 40), ("secret/20-edges/01", 60))
        if earned in (0, 100 - points)
    }
    world.judge_next(None if earned is None else judgement_of(world.package, failing))
    return dict(answer.json())


def now_text() -> str:
    """This moment as a client writes it; a moment later it is over."""
    time.sleep(0.002)
    text = now().isoformat()
    time.sleep(0.002)
    return text
