"""What an upload may be and how often it may come, asked before its body is read."""

import asyncio
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from api_world import World
from db_world import learner
from package_builder import package_files
from upload_calls import HEADERS, IMPORT, named, pass_verification, upload

from judge.actions import upload_quota
from judge.actions.upload_quota import count_upload
from judge.db.engine import Database
from judge.errors import TooMany
from judge.i18n import LOCALES, catalogue
from judge.packages.files import MAX_PACKED_BYTES, to_zip
from judge.settings import Settings

LARGE = 19 * 1024 * 1024
PIECE = bytes(64 * 1024)


@pytest.fixture
def strict(tmp_path: Path, sqlite_url: str) -> Iterator[World]:
    """A judge that takes four uploads an hour, and one verification at once."""
    limits = {"max_uploads_per_hour": 4, "max_open_verifications": 1}
    with World(Settings(data_dir=tmp_path, database_url=sqlite_url, **limits)) as served:
        yield served


class TestBeforeTheBody:
    async def send(self, world: World, headers: dict[str, str]) -> tuple[int, int]:
        """Status, and how many pieces of a body without end were asked for."""
        asked = 0
        status = 0

        async def receive() -> dict[str, Any]:
            nonlocal asked
            asked += 1
            return {"type": "http.request", "body": PIECE, "more_body": True}

        async def answer(message: Any) -> None:
            nonlocal status
            status = message.get("status", status)

        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": IMPORT,
            "raw_path": IMPORT.encode(),
            "query_string": b"",
            "root_path": "",
            "server": ("testserver", 80),
            "client": ("testclient", 1),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }
        await world.app(scope, receive, answer)
        return status, asked

    @pytest.mark.parametrize(
        "size", [{"content-length": str(LARGE)}, {"transfer-encoding": "chunked"}]
    )
    @pytest.mark.parametrize(
        ("who", "status"), [("", 401), ("wrong", 401), ("cookie", 401), ("learner", 403)]
    )
    def test_nobody_who_may_not_upload_has_a_byte_read(
        self, world: World, size: dict[str, str], who: str, status: int
    ) -> None:
        token = "jt_wrong" if who == "wrong" else "" if who != "learner" else world.token(who)
        shown = {"authorization": f"Bearer {token}"} if token else {}
        if who == "cookie":
            shown = {"cookie": "judge_session=wrong"}
        send = self.send(world, {**shown, **size})
        assert asyncio.run(send) == (status, 0)

    def test_a_body_without_a_stated_size_ends_at_the_limit(self, world: World) -> None:
        headers = {"authorization": f"Bearer {world.token('teacher')}"}
        status, asked = asyncio.run(self.send(world, {**headers, "transfer-encoding": "chunked"}))
        assert (status, asked) == (413, MAX_PACKED_BYTES // len(PIECE) + 1)

    def test_the_larger_limit_is_that_of_uploads_alone(self, world: World) -> None:
        teacher = world.client("teacher")
        assert teacher.post(IMPORT, content=bytes(600 * 1024), headers=HEADERS).status_code == 422
        too_much = bytes(MAX_PACKED_BYTES + 1)
        assert teacher.post(IMPORT, content=too_much, headers=HEADERS).status_code == 413
        other = teacher.post("/api/v1/me/tokens", content=bytes(600 * 1024), headers=HEADERS)
        assert other.status_code == 413

    @pytest.mark.parametrize("locale", LOCALES)
    def test_a_form_is_told_how_an_archive_is_sent(self, world: World, locale: str) -> None:
        files = {"file": ("package.zip", to_zip(package_files()))}
        answer = world.client("teacher").post(IMPORT, files=files, params={"locale": locale})
        assert (answer.status_code, answer.json()["code"]) == (415, "no-raw-archive")
        assert answer.json()["title"] == catalogue(locale)["title.415"]
        assert "--data-binary" in answer.json()["detail"]


class TestQuotas:
    def test_so_many_uploads_an_hour_and_no_more(self, strict: World) -> None:
        for _ in range(3):
            assert upload(strict, "teacher", named("mine"), dry_run=True).status_code == 200
        broken = strict.client("teacher").post(IMPORT, content=b"no archive", headers=HEADERS)
        assert broken.status_code == 422
        refused = upload(strict, "teacher", named("mine"), dry_run=True)
        assert (refused.status_code, refused.json()["code"]) == (429, "too-many-uploads")
        assert refused.json()["most"] == 4
        assert 0 < int(refused.headers["retry-after"]) <= 3600
        # Somebody else's are counted apart.
        assert upload(strict, "admin", named("mine"), dry_run=True).status_code == 200

    def test_so_many_verifications_at_once(self, strict: World) -> None:
        first = upload(strict, "teacher", named("one"))
        refused = upload(strict, "teacher", named("two"))
        assert (refused.status_code, refused.json()["code"]) == (429, "too-many-verifications")
        assert refused.headers["retry-after"] == "60"
        path = pass_verification(strict, first)
        assert upload(strict, "teacher", named("two")).status_code == 202
        again = strict.client("teacher").post(f"{path}/verify")
        assert (again.status_code, again.json()["code"]) == (429, "too-many-verifications")
        # To verify again costs what an upload costs, and counts as one.
        again = strict.client("teacher").post(f"{path}/verify")
        assert (again.status_code, again.json()["code"]) == (429, "too-many-uploads")

    def test_what_is_being_verified_already_takes_no_second_place(self, strict: World) -> None:
        assert upload(strict, "teacher", named("one")).status_code == 202
        assert upload(strict, "teacher", named("one")).json()["is_known"] is True

    def test_an_hour_later_it_may_again(
        self, database: Database, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        caller = learner(database, "sensei")
        count_upload(database, caller, 1)
        with pytest.raises(TooMany, match="too-many-uploads"):
            count_upload(database, caller, 1)
        monkeypatch.setattr(upload_quota, "WINDOW", timedelta(0))
        count_upload(database, caller, 1)

    def test_two_at_once_are_not_both_the_last_one(self, database: Database) -> None:
        caller = learner(database, "sensei")
        refused: list[str] = []
        start = threading.Barrier(6)

        def begin() -> None:
            start.wait()
            try:
                count_upload(database, caller, 2)
            except TooMany as error:
                refused.append(error.code)

        threads = [threading.Thread(target=begin) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert refused == ["too-many-uploads"] * 4


NARROWED = ["visibility-narrowed", "members-see"]


class TestNotices:
    def codes(self, answer: Any) -> list[str]:
        return [one["code"] for one in answer.json()["notices"]]

    def test_a_teacher_is_told_that_fewer_people_will_see_it(self, world: World) -> None:
        answer = upload(world, "teacher", named("mine"))
        assert self.codes(answer) == NARROWED
        assert self.codes(upload(world, "teacher", named("other"), dry_run=True)) == NARROWED
        path = pass_verification(world, answer)
        published = world.client("teacher").post(f"{path}/publish", params={"locale": "ja"})
        assert self.codes(published) == NARROWED
        notice = published.json()["notices"][0]
        assert notice["code"] == "visibility-narrowed"
        assert "class" in notice["message"]
        assert "公開" in notice["message"]

    def test_an_admin_publishes_as_judge_yaml_wishes(self, world: World) -> None:
        answer = upload(world, "admin", named("ours"))
        assert self.codes(answer) == []
        path = pass_verification(world, answer)
        assert self.codes(world.client("admin").post(f"{path}/publish")) == []

    def test_placeholders_are_not_published(self, world: World) -> None:
        files = named("mine", **{"hints/1.vi.md": "(Chưa viết)\n"})
        path = pass_verification(world, upload(world, "teacher", files))
        refused = world.client("teacher").post(f"{path}/publish", params={"locale": "ja"})
        assert (refused.status_code, refused.json()["code"]) == (409, "unwritten-texts")
        assert refused.json()["files"] == ["hints/1.vi.md"]
        assert "未記入" in refused.json()["detail"]
        assert "hints/1.vi.md" in refused.json()["detail"]

    def test_what_is_published_as_a_draft_is_shown_to_no_learner(self, world: World) -> None:
        from_draft = package_files()["judge.yaml"].decode()
        draft = from_draft.replace("visibility: public", "visibility: draft")
        path = pass_verification(world, upload(world, "admin", named("ours", judge_yaml=draft)))
        published = world.client("admin").post(f"{path}/publish")
        assert self.codes(published) == ["visible-as-draft"]
        assert world.client("learner").get("/api/v1/problems/ours").status_code == 404
