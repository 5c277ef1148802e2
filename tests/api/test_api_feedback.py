"""Feedback: a short thread between an author and staff, and what neither side may see."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from api_world import SLUG, World, judgement_of
from sqlalchemy import insert, select, update

from judge.actions.give_feedback import MOST_AN_HOUR
from judge.db.queries.feedback import Wanted, list_threads
from judge.db.tables import assignment, feedback, membership, notice, problem, school_class
from judge.db.types import new_id, now
from judge.domain.access import Caller, ClassTies, Role, may_read_feedback
from judge.domain.feedback import FeedbackState, after_reply

GIVE = f"/api/v1/problems/{SLUG}/feedback"
LIST = "/api/v1/feedback"


def give(world: World, who: str = "learner", **body: Any) -> dict[str, Any]:
    sent = {"kind": "statement", "body": "Step 3 is unclear.", **body}
    answer = world.client(who).post(GIVE, json=sent)
    assert answer.status_code == 201, answer.text
    assert answer.headers["location"] == f"{LIST}/{answer.json()['id']}"
    return dict(answer.json())


def read(world: World, who: str, thread: str) -> dict[str, Any]:
    answer = world.client(who).get(f"{LIST}/{thread}")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def sort(world: World, who: str, thread: str, **body: Any) -> Any:
    client = world.client(who)
    etag = client.get(f"{LIST}/{thread}").headers.get("etag", "none")
    return client.patch(f"{LIST}/{thread}", json=body, headers={"If-Match": etag})


def say(world: World, who: str, thread: str, body: str, *, internal: bool = False) -> Any:
    message = {"body": body, "internal": internal}
    return world.client(who).post(f"{LIST}/{thread}/messages", json=message)


def notices(world: World, who: str) -> list[tuple[str, bool]]:
    with world.database.read() as connection:
        rows = connection.execute(
            select(notice.c.kind, notice.c.read_at)
            .where(notice.c.account_id == world.accounts[who])
            .order_by(notice.c.kind)
        )
        return [(row.kind, row.read_at is None) for row in rows]


def teach(world: World, teacher: str = "teacher", learner: str = "learner") -> None:
    """A class of the teacher that has the learner and was given the problem."""
    class_id, moment = new_id(), now()
    common = {"created_at": moment, "class_id": class_id}
    with world.database.write() as connection:
        connection.execute(
            insert(school_class).values(
                id=class_id,
                name="A",
                locale="en",
                time_zone="UTC",
                created_at=moment,
                updated_at=moment,
            )
        )
        for handle, role in ((teacher, "teacher"), (learner, "learner")):
            connection.execute(
                insert(membership).values(
                    account_id=world.accounts[handle], role=role, state="active", **common
                )
            )
        connection.execute(
            insert(assignment).values(
                id=new_id(),
                problem_id=connection.scalar(select(problem.c.id)),
                title="",
                position=1,
                late_percent=0,
                updated_at=moment,
                **common,
            )
        )


def test_the_published_revision_and_the_locale_are_attached(world: World) -> None:
    thread = give(world, kind="translation")
    assert thread["revision"] == {"id": f"rev_{world.published.revision_id}", "number": 1}
    assert (thread["language"], thread["locale"], thread["status"]) == (None, "en", "new")
    assert (thread["submission"], thread["is_mine"]) == (None, True)
    japanese = world.client("learner").post(f"{GIVE}?locale=ja", json={"kind": "idea", "body": "x"})
    assert japanese.json()["locale"] == "ja"


def test_a_submission_brings_its_revision_and_language(world: World) -> None:
    submission = world.submit_and_judge(judgement_of(world.package))
    thread = give(world, submission=submission, language="java")
    assert (thread["submission"], thread["language"]) == (submission, "python")


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({"kind": "praise"}, "/kind", "choice"),
        ({"body": ""}, "/body", "too-short"),
        ({"body": "x" * 4_001}, "/body", "too-long"),
        ({"body": "a\0"}, "/body", "nul-character"),
        ({"submission": "sub_" + "0" * 32}, "/submission", "feedback-submission"),
        ({"submission": "x"}, "/submission", "feedback-submission"),
        ({"revision": "rev_" + "0" * 32}, "/revision", "feedback-revision"),
        ({"language": "rust"}, "/language", "choice"),
        ({"title": "x"}, "/title", "extra-forbidden"),
    ],
)
def test_what_cannot_be_given_is_named(
    world: World, body: dict[str, Any], pointer: str, code: str
) -> None:
    sent = {"kind": "idea", "body": "x", **body}
    answer = world.client("learner").post(GIVE, json=sent)
    assert answer.status_code == 422
    (flaw,) = answer.json()["errors"]
    assert (flaw["pointer"], flaw["code"]) == (pointer, code)


def test_a_submission_of_somebody_else_is_no_more_than_one_that_is_not_there(world: World) -> None:
    submission = world.submit_and_judge(judgement_of(world.package), "other")
    body = {"kind": "test", "body": "x", "submission": submission}
    answer = world.client("learner").post(GIVE, json=body)
    assert answer.json()["errors"][0]["code"] == "feedback-submission"


def test_ten_threads_an_hour_and_then_a_true_retry_after(world: World) -> None:
    for _ in range(MOST_AN_HOUR):
        give(world)
    refused = world.client("learner").post(GIVE, json={"kind": "idea", "body": "x"})
    assert (refused.status_code, refused.json()["code"]) == (429, "too-many-feedback")
    assert 3500 < int(refused.headers["retry-after"]) <= 3600
    assert give(world, "other")["status"] == "new"
    with world.database.write() as connection:
        connection.execute(update(feedback).values(created_at=now() - timedelta(hours=1)))
    give(world)


def test_the_tenth_and_the_eleventh_at_once_are_not_both_taken(world: World) -> None:
    for _ in range(MOST_AN_HOUR - 1):
        give(world)
    client = world.client("learner")
    barrier, statuses = threading.Barrier(3), []

    def send() -> None:
        barrier.wait()
        statuses.append(client.post(GIVE, json={"kind": "idea", "body": "x"}).status_code)

    threads = [threading.Thread(target=send) for _ in range(3)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(statuses) == [201, 429, 429]


def test_the_author_sees_answers_but_neither_notes_nor_names(world: World) -> None:
    thread = give(world)["id"]
    assert say(world, "admin", thread, "canary-internal", internal=True).status_code == 201
    before = read(world, "learner", thread)
    assert say(world, "admin", thread, "It is clearer now.").status_code == 201
    assert sort(world, "admin", thread, assignee="admin").status_code == 200
    whole = world.client("learner").get(f"{LIST}/{thread}")
    assert "canary-internal" not in whole.text
    assert "admin" not in whole.text
    seen = whole.json()
    assert [(one["by"], one["body"]) for one in seen["messages"]] == [
        ("author", "Step 3 is unclear."),
        ("staff", "It is clearer now."),
    ]
    assert (seen["assignee"], seen["status"]) == (None, "open")
    assert before["updated_at"] == before["created_at"]
    staff = read(world, "admin", thread)
    assert [one["internal"] for one in staff["messages"]] == [False, True, False]
    assert (staff["assignee"], staff["author"]) == ("admin", "learner")
    assert staff["messages"][1]["handle"] == "admin"


def test_a_note_tells_the_author_nothing_not_even_by_its_time(world: World) -> None:
    thread = give(world)["id"]
    before = world.client("learner").get(f"{LIST}/{thread}")
    say(world, "admin", thread, "note", internal=True)
    sort(world, "admin", thread, assignee="admin")
    after = world.client("learner").get(f"{LIST}/{thread}")
    assert (after.text, after.headers["etag"]) == (before.text, before.headers["etag"])
    assert notices(world, "learner") == []


def test_one_notice_for_answers_and_one_for_the_status(world: World) -> None:
    thread = give(world)["id"]
    for _ in range(3):
        say(world, "admin", thread, "More.")
    sort(world, "admin", thread, status="fixed")
    sort(world, "admin", thread, status="fixed")
    assert notices(world, "learner") == [("feedback-reply", True), ("feedback-status", True)]
    with world.database.write() as connection:
        connection.execute(update(notice).values(read_at=now()))
    say(world, "admin", thread, "Once more.")
    assert notices(world, "learner") == [("feedback-reply", True), ("feedback-status", False)]
    assert notices(world, "admin") == []


@pytest.mark.parametrize("status", ["fixed", "declined"])
def test_the_authors_answer_opens_a_closed_thread_again(world: World, status: str) -> None:
    thread = give(world)["id"]
    assert sort(world, "admin", thread, status=status).json()["status"] == status
    assert say(world, "learner", thread, "It is not.").json()["status"] == "open"


def test_a_duplicate_stays_one() -> None:
    states = [after_reply(state, by_staff=False).value for state in FeedbackState]
    assert states == ["new", "open", "open", "open", "duplicate"]


def test_only_staff_writes_notes_and_sorts(world: World) -> None:
    thread = give(world)["id"]
    noted = say(world, "learner", thread, "x", internal=True)
    assert (noted.status_code, noted.json()["code"]) == (403, "feedback-notes-by-staff")
    sorted_ = sort(world, "learner", thread, status="fixed")
    assert (sorted_.status_code, sorted_.json()["code"]) == (403, "feedback-by-staff")


def test_a_change_names_what_was_read(world: World) -> None:
    thread = give(world)["id"]
    admin = world.client("admin")
    etag = admin.get(f"{LIST}/{thread}").headers["etag"]
    path = f"{LIST}/{thread}"
    assert admin.get(path, headers={"If-None-Match": etag}).status_code == 304
    assert admin.patch(path, json={"status": "open"}).status_code == 428
    say(world, "learner", thread, "There is more.")
    admin = world.client("admin")
    late = admin.patch(path, json={"status": "declined"}, headers={"If-Match": etag})
    assert (late.status_code, late.json()["code"]) == (412, "if-match-failed")
    fresh = admin.get(path).headers["etag"]
    changed = admin.patch(path, json={"status": "open"}, headers={"If-Match": fresh})
    assert changed.headers["etag"] == admin.get(path).headers["etag"]


def test_of_two_changes_at_once_that_name_the_same_one_is_refused(world: World) -> None:
    path = f"{LIST}/{give(world)['id']}"
    client = world.client("admin")
    headers = {"If-Match": client.get(path).headers["etag"]}
    barrier, statuses = threading.Barrier(2), []

    def send(status: str) -> None:
        barrier.wait()
        statuses.append(client.patch(path, json={"status": status}, headers=headers).status_code)

    threads = [threading.Thread(target=send, args=(one,)) for one in ("fixed", "declined")]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(statuses) == [200, 412]
    assert notices(world, "learner") == [("feedback-status", True)]


def test_answers_at_once_are_told_by_one_notice(world: World) -> None:
    thread = give(world)["id"]
    client = world.client("admin")
    barrier, statuses = threading.Barrier(4), []

    def send() -> None:
        barrier.wait()
        answer = client.post(f"{LIST}/{thread}/messages", json={"body": "x"})
        statuses.append(answer.status_code)

    threads = [threading.Thread(target=send) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert statuses == [201] * 4
    assert len(read(world, "learner", thread)["messages"]) == 5
    assert notices(world, "learner") == [("feedback-reply", True)]


def test_with_one_key_a_thread_and_a_message_are_written_once(world: World) -> None:
    client, headers = world.client("learner"), {"Idempotency-Key": "once"}
    body = {"kind": "idea", "body": "x"}
    first, second = (client.post(GIVE, json=body, headers=headers).json() for _ in range(2))
    assert first == second
    path = f"{LIST}/{first['id']}/messages"
    for _ in range(2):
        answer = client.post(path, json={"body": "y"}, headers=headers)
        assert len(answer.json()["messages"]) == 2
    assert len(client.get(LIST).json()["items"]) == 1


def test_a_duplicate_names_another_thread_of_the_problem(world: World) -> None:
    first, second = give(world)["id"], give(world, "other")["id"]
    code = "feedback-original"
    for body, expected in (
        ({"status": "duplicate"}, "feedback-original-missing"),
        ({"duplicate_of": second}, code),
        ({"duplicate_of": "fbk_" + "0" * 32}, code),
        ({"duplicate_of": "x"}, code),
        ({"duplicate_of": first, "status": "open"}, "feedback-not-duplicate"),
    ):
        refused = sort(world, "admin", second, **body)
        assert (refused.status_code, refused.json()["errors"][0]["code"]) == (422, expected)
    changed = sort(world, "admin", second, duplicate_of=first).json()
    assert (changed["status"], changed["duplicate_of"]) == ("duplicate", first)
    assert read(world, "other", second)["duplicate_of"] is None
    assert sort(world, "admin", first, duplicate_of=second).status_code == 422
    assert sort(world, "admin", second, status="open").json()["duplicate_of"] is None


def test_only_who_could_do_the_work_is_assigned(world: World) -> None:
    thread = give(world)["id"]
    for handle in ("learner", "teacher", "nobody"):
        refused = sort(world, "admin", thread, assignee=handle)
        assert refused.json()["errors"][0]["code"] == "feedback-assignee"
    teach(world)
    assert sort(world, "admin", thread, assignee="teacher").json()["assignee"] == "teacher"
    assert sort(world, "admin", thread, assignee=None).json()["assignee"] is None


def test_a_teacher_handles_what_members_write_about_the_classes_problem(world: World) -> None:
    mine, foreign = give(world)["id"], give(world, "other")["id"]
    assert world.client("teacher").get(f"{LIST}/{mine}").status_code == 404
    teach(world)
    assert read(world, "teacher", mine)["author"] == "learner"
    assert sort(world, "teacher", mine, status="fixed").status_code == 200
    assert world.client("teacher").get(f"{LIST}/{foreign}").status_code == 404
    listed = world.client("teacher").get(LIST).json()["items"]
    assert [one["id"] for one in listed] == [mine]


def test_the_list_is_newest_first_in_pages_and_can_be_counted(world: World) -> None:
    ids = [give(world)["id"] for _ in range(3)][::-1]
    other = give(world, "other")["id"]
    sort(world, "admin", ids[0], status="fixed")
    client = world.client("learner")
    first = client.get(f"{LIST}?limit=2").json()
    second = client.get(first["next"]).json()
    assert [one["id"] for one in first["items"] + second["items"]] == ids
    assert (second["next"], first["counts"]) == (None, None)
    admin = world.client("admin")
    counted = admin.get(f"{LIST}?status=fixed&problem={SLUG}&count=true").json()
    assert [one["id"] for one in counted["items"]] == [ids[0]]
    assert counted["counts"] == {"new": 3, "open": 0, "fixed": 1, "declined": 0, "duplicate": 0}
    assert admin.get(f"{LIST}?problem=nothing&count=true").json()["counts"]["new"] == 0
    assert other in [one["id"] for one in admin.get(LIST).json()["items"]]
    own = world.client("learner").get(f"{LIST}?count=true").json()
    assert own["counts"]["new"] == 2


def test_a_thread_can_be_full(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.actions.answer_feedback.MOST_OF_AUTHOR", 2)
    thread = give(world)["id"]
    assert say(world, "learner", thread, "x").status_code == 201
    full = say(world, "learner", thread, "x")
    assert (full.status_code, full.json()["code"]) == (409, "feedback-full")
    assert say(world, "admin", thread, "x").status_code == 201


def test_the_scope_is_named_where_it_is_missing(world: World) -> None:
    refused = world.client("learner", "problems:read").get(LIST)
    assert (refused.status_code, refused.json()["needed"]) == (403, ["feedback:write"])


def test_the_list_shows_exactly_what_may_be_read(world: World) -> None:
    teach(world)
    give(world), give(world, "other"), give(world, "teacher")
    with world.database.read() as connection:
        admin = Caller(world.accounts["admin"], "admin", Role.ADMIN)
        threads = list_threads(connection, admin, Wanted(), None, 10)
        class_id = connection.scalar(select(school_class.c.id))
        for handle, role, ties in (
            ("learner", Role.LEARNER, ClassTies()),
            ("other", Role.LEARNER, ClassTies(taught=frozenset({str(class_id)}))),
            ("teacher", Role.TEACHER, ClassTies(taught=frozenset({str(class_id)}))),
            ("teacher", Role.TEACHER, ClassTies()),
        ):
            caller = Caller(world.accounts[handle], handle, role, ties=ties)
            taught = ties.taught and role is Role.TEACHER
            expected = {
                one.id
                for one in threads
                if may_read_feedback(
                    caller,
                    one.account_id,
                    None,
                    is_taught=bool(taught and one.handle == "learner"),
                )
            }
            listed = list_threads(connection, caller, Wanted(), None, 10)
            assert {one.id for one in listed} == expected
