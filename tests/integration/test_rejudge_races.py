"""What happens at once comes to the same as one after the other."""

import threading
from collections.abc import Callable

import pytest
from db_world import SLUG, hand_in, judgement, publish_builder, take
from package_builder import JUDGE_YAML, STATEMENTS
from queue_rows import age_leases
from rejudge_world import NEW_TESTS, Room
from sqlalchemy import select

from judge.actions.publish import Published
from judge.actions.record import record
from judge.actions.rejudge import Started, cancel_rejudge
from judge.actions.rejudge_apply import apply_rejudge
from judge.actions.score_check import find_differences
from judge.actions.submit import NewSubmission, Submitted, submit
from judge.db.engine import Database
from judge.db.queries.problems import find_problem
from judge.db.tables import judgement as judgement_table
from judge.db.tables import notice, rejudge, rejudge_item
from judge.errors import Conflict, Refused
from judge.queue.losses import release_worker

ROUNDS = 4
NEW_TEXT = {"statement/problem.en.md": STATEMENTS["en"] + "\nGood luck.\n"}


@pytest.fixture
def room(database: Database) -> Room:
    return Room(database)


def at_once(*calls: Callable[[], object]) -> list[object]:
    """Begin all calls together; what each returned, or the refusal that it raised."""
    barrier = threading.Barrier(len(calls))
    results: list[object] = [None] * len(calls)

    def run(index: int, call: Callable[[], object]) -> None:
        barrier.wait()
        try:
            results[index] = call()
        except Refused as refused:
            results[index] = refused

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_a_submission_beside_a_publication_is_judged_on_the_revision_it_read(room: Room) -> None:
    ada = room.learner("ada")
    for number in range(ROUNDS):
        with room.database.read() as connection:
            read = find_problem(connection, SLUG).revision_id
        changes = NEW_TEXT if number % 2 == 0 else None
        new = NewSubmission(SLUG, "python", "x = 1\n", revision_id=read)
        published, submitted = at_once(
            lambda changes=changes: publish_builder(room.database, changes),
            lambda new=new: submit(room.database, ada, new),
        )
        assert isinstance(published, Published)
        if isinstance(submitted, Conflict):
            assert submitted.code == "revision-changed"
        else:
            assert isinstance(submitted, Submitted)
            with room.database.read() as connection:
                judged_on = connection.scalar(
                    select(judgement_table.c.revision_id).where(
                        judgement_table.c.id == submitted.judgement_id
                    )
                )
            assert judged_on == read


def test_a_package_published_twice_at_once_is_one_problem(room: Room) -> None:
    for number in range(ROUNDS):
        name = f"problem_{number}"
        changes = {"judge.yaml": JUDGE_YAML.replace("name: count_large", f"name: {name}")}
        published = at_once(*[lambda changes=changes: publish_builder(room.database, changes)] * 3)
        assert len({one.revision_id for one in published}) == 1
        assert [one.is_new for one in published].count(True) == 1


def test_no_submission_escapes_a_rejudge_of_all(room: Room) -> None:
    """What comes beside the publication is on the new revision, or rejudged, or on what it read."""
    learners = [room.learner(f"learner{number}") for number in range(ROUNDS)]
    published, *submitted = at_once(
        lambda: publish_builder(room.database, NEW_TESTS, "rejudge_all"),
        *(lambda one=one: hand_in(room.database, one) for one in learners),
    )
    assert isinstance(published, Published)
    assert all(isinstance(one, Submitted) for one in submitted)
    started = published.rejudge.submissions if published.rejudge else 0
    for _ in range(ROUNDS + started):
        room.judge_next(40)
    assert set(room.scores().values()) == {40}
    assert {row["state"] for row in room.rows(rejudge)} <= {"applied"}
    assert find_differences(room.database) == ()


def test_applying_beside_a_judgement_that_ends_counts_both(room: Room) -> None:
    for number in range(ROUNDS):
        handle = f"learner{number}"
        room.submit(handle, 40)
        started = room.start(handle=handle)
        room.judge_anew([60])
        hand_in(room.database, room.learner(handle))
        held = take(room.database)
        applied, recorded = at_once(
            lambda started=started: apply_rejudge(room.database, None, started.rejudge_id),
            lambda held=held: record(room.database, held, judgement(40)),
        )
        assert not isinstance(applied, Refused)
        assert recorded is True
        assert room.scores()[handle] == 60
        assert find_differences(room.database) == ()


def prepared(room: Room) -> Started:
    room.submit("ada", 40)
    started = room.start()
    room.judge_anew([60] * started.submissions)
    return started


def test_of_two_applications_one_is_refused(room: Room) -> None:
    for _ in range(ROUNDS):
        started = prepared(room)
        results = at_once(
            *[lambda started=started: apply_rejudge(room.database, None, started.rejudge_id)] * 2
        )
        refused = [one for one in results if isinstance(one, Conflict)]
        assert [one.code for one in refused] == ["rejudge-closed"]
    refs = [row["ref"] for row in room.rows(notice)]
    assert len(refs) == len(set(refs))
    assert find_differences(room.database) == ()


def test_applying_and_cancelling_end_one_way(room: Room) -> None:
    for _ in range(ROUNDS):
        started = prepared(room)
        applied, cancelled = at_once(
            lambda started=started: apply_rejudge(room.database, None, started.rejudge_id),
            lambda started=started: cancel_rejudge(room.database, None, started.rejudge_id),
        )
        assert isinstance(applied, Conflict) != isinstance(cancelled, Conflict)
        state, decision = ("cancelled", {"dropped"})
        if isinstance(cancelled, Conflict):
            state, decision = ("applied", {"taken"})
        row = next(one for one in room.rows(rejudge) if one["id"] == started.rejudge_id)
        decided = {
            one["decision"]
            for one in room.rows(rejudge_item)
            if one["rejudge_id"] == started.rejudge_id
        }
        assert (row["state"], decided) == (state, decision)
        assert find_differences(room.database) == ()


def test_cancelling_beside_the_last_judgement_ends_one_way(room: Room) -> None:
    for number in range(ROUNDS):
        room.submit(f"learner{number}", 40)
        started = room.start(handle=f"learner{number}")
        held = take(room.database)
        cancelled, recorded = at_once(
            lambda started=started: cancel_rejudge(room.database, None, started.rejudge_id),
            lambda held=held: record(room.database, held, judgement(60)),
        )
        assert (cancelled, recorded) == (None, True)
        assert room.scores()[f"learner{number}"] == 40
        states = [row["state"] for row in room.rows(judgement_table) if not row["is_current"]]
        assert set(states) <= {"cancelled", "judged"}


def test_the_last_two_judgements_at_once_apply_a_rejudge_once(room: Room) -> None:
    for handle in ("ada", "bob"):
        room.submit(handle, 40)
    publish_builder(room.database, NEW_TESTS, "rejudge_all")
    claims = [take(room.database), take(room.database)]
    results = at_once(
        *(lambda held=held: record(room.database, held, judgement(60)) for held in claims)
    )
    assert results == [True, True]
    assert room.scores() == {"ada": 60, "bob": 60}
    assert len(room.rows(notice)) == 2


def test_of_two_rejudges_at_once_one_is_refused(room: Room) -> None:
    room.submit("ada", 40)
    results = at_once(room.start, room.start)
    refused = [one for one in results if isinstance(one, Conflict)]
    assert [one.code for one in refused] == ["rejudge-open"]


@pytest.mark.parametrize("loss", ["crash", "silence"])
def test_a_crash_between_submissions_only_makes_them_later(room: Room, loss: str) -> None:
    for handle in ("ada", "bob"):
        room.submit(handle, 40)
    publish_builder(room.database, NEW_TESTS, "rejudge_all")
    room.judge_anew([60])
    lost = take(room.database)
    if loss == "crash":
        release_worker(room.database, "test-worker")
    else:
        age_leases(room.database)
    room.judge_anew([60])
    assert record(room.database, lost, judgement(100)) is False
    assert room.scores() == {"ada": 60, "bob": 60}
    assert [row["state"] for row in room.rows(rejudge)] == ["applied"]
