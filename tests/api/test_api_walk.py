"""The main way through the API on SQLite and on PostgreSQL: register, submit, be judged, read."""

from pathlib import Path

from api_world import (
    SLUG,
    SOURCE,
    World,
    add_worker,
    canary_package,
    hidden_failure,
    judgement_of,
    publish_package,
)
from package_builder import case_texts

from judge.settings import Settings


def test_the_main_way(database_url: str, tmp_path: Path) -> None:
    with World(Settings(data_dir=tmp_path, database_url=database_url)) as world:
        add_worker(world.database)
        browser = world.anonymous()
        ada = {"handle": "ada", "password": "correct horse", "email": "ada@example.org"}
        assert browser.post("/api/v1/auth/register", json=ada).status_code == 201
        wanted = {
            "name": "script",
            "scopes": ["problems:read", "submissions:read", "submissions:write", "scores:read"],
        }
        token = browser.post("/api/v1/me/tokens", json=wanted).json()["token"]
        client = world.anonymous()
        client.headers["Authorization"] = f"Bearer {token}"

        assert client.get("/readyz").status_code == 200
        assert client.get(f"/api/v1/problems/{SLUG}/solution").status_code == 403
        path = f"/api/v1/problems/{SLUG}/submissions"
        body = {"language": "python", "source": SOURCE}
        first = client.post(path, json=body).json()
        second = client.post(path, json=body).json()
        assert [first["queue_position"], second["queue_position"]] == [1, 2]
        case = hidden_failure(stdout="a\0b\ud800")
        assert world.judge_next(judgement_of(world.package, {case.id: case})) == first["id"]
        assert world.judge_next(judgement_of(world.package)) == second["id"]

        listed = client.get("/api/v1/submissions?limit=1").json()
        assert listed["items"][0]["verdict"] == "accepted"
        rest = client.get(listed["next"]).json()
        assert rest["items"][0]["verdict"] == "runtime_error"
        assert client.get(f"{path.rsplit('/', 1)[0]}/hints/1").status_code == 200
        assert client.get(f"{path.rsplit('/', 1)[0]}/solution").status_code == 200

        changed = canary_package(case_texts("secret/10-basic/02", [9.0], 1.0, 1))
        publish_package(world.database, changed, "keep")
        row = client.get("/api/v1/scores").json()["items"][0]
        progress = client.get("/api/v1/me/progress").json()
        assert (row["score"], row["submissions"], row["revision"]) == (100.0, 2, 1)
        assert progress["points"] == 100.0
        assert client.get("/api/v1/problems").json()["items"][0]["my"] == {
            "score": 100.0,
            "submissions": 2,
            "status": "solved",
        }
