"""Publishing other tests: what becomes of the scores that learners have."""

import pytest
from db_world import SLUG, hand_in, proof_of, publish_builder
from package_builder import JUDGE_YAML, PROBLEM_YAML, STATEMENTS, load_package
from rejudge_world import NEW_TESTS, NEWER_TESTS, Room
from sqlalchemy import select, update

from judge.actions.publish import ScorePolicy, Scores, publish, publish_revision
from judge.actions.retire import retire
from judge.actions.revisions import PROVED, store_revision
from judge.db.engine import Database
from judge.db.queries.problems import find_problem, list_published, list_revisions
from judge.db.tables import audit_log, judgement, problem, rejudge
from judge.domain.access import (
    EVERY_PROBLEM,
    VISIBILITIES,
    Role,
    may_see_problem,
    sight_of,
)
from judge.errors import Conflict, Forbidden, NotFound
from judge.packages.content import content_of

NEW_TEXT = {"statement/problem.en.md": STATEMENTS["en"] + "\nGood luck.\n"}
OTHERS = JUDGE_YAML.replace("name: count_large", "name: of_a_teacher")


def unwritten(visibility: str) -> dict[str, str]:
    """The builder's package with a text that is still a placeholder."""
    return {
        "statement/problem.ja.md": f"(未記入)\n{STATEMENTS['ja']}",
        "judge.yaml": JUDGE_YAML.replace("visibility: public", f"visibility: {visibility}"),
    }


@pytest.fixture
def room(database: Database) -> Room:
    return Room(database)


def test_keep_judges_nothing_anew(room: Room) -> None:
    room.submit("ada", 60)
    published = publish_builder(room.database, NEW_TESTS, "keep")
    assert published.rejudge is None
    assert room.scores() == {"ada": 60}
    assert room.rows(rejudge) == []


@pytest.mark.parametrize("until", ["2099-01-02", "2099-01-02T10:00:00+09:00"])
def test_nothing_is_published_before_its_embargo_ends(room: Room, until: str) -> None:
    changes = {"problem.yaml": f"{PROBLEM_YAML}embargo_until: {until}\n"}
    with pytest.raises(Conflict, match="embargoed"):
        publish_builder(room.database, changes)
    past = {"problem.yaml": f"{PROBLEM_YAML}embargo_until: 2020-01-02\n"}
    assert publish_builder(room.database, past).is_new


@pytest.mark.parametrize("visibility", ["staff", "class", "public"])
def test_placeholders_are_published_as_a_draft_only(room: Room, visibility: str) -> None:
    """Also a revision that was stored and proved while it was a draft."""
    with pytest.raises(Conflict, match="unwritten-texts") as refused:
        publish_builder(room.database, unwritten(visibility))
    assert refused.value.details["files"] == ("statement/problem.ja.md",)
    draft = publish_builder(room.database, unwritten("draft"), "keep")
    assert draft.visibility == "draft"
    publish_builder(room.database, NEW_TEXT, "keep")
    again = publish_revision(room.database, draft.revision_id, Scores(ScorePolicy.KEEP))
    assert again.visibility == "draft"
    assert publish_builder(room.database, NEW_TEXT, "keep").is_new


def test_a_stored_revision_with_placeholders_is_refused_to_a_teacher_too(room: Room) -> None:
    teacher = room.admin("teacher", Role.TEACHER)
    with room.database.write() as connection:
        content = content_of(load_package({**unwritten("public"), "judge.yaml": OTHERS}))
        _, stored = store_revision(connection, content, teacher, PROVED)
    with pytest.raises(Conflict, match="unwritten-texts"):
        publish_revision(room.database, stored.id, Scores(), teacher)


def test_what_was_published_with_placeholders_is_shown_to_nobody_more(room: Room) -> None:
    """Before they were refused, a package could be published with them."""
    package = load_package(unwritten("public"))
    with room.database.write() as connection:
        _, stored = store_revision(connection, content_of(package), None, PROVED)
        values = {"published_revision_id": stored.id, "visibility": "class"}
        connection.execute(update(problem).values(values))
    with pytest.raises(Conflict, match="unwritten-texts"):
        publish(room.database, package, proof_of(package))
    with room.database.read() as connection:
        assert find_problem(connection, SLUG).visibility == "class"


def test_rejudge_all_judges_every_submission_and_applies_itself(room: Room) -> None:
    room.submit("ada", 40)
    room.submit("ada", 60)
    room.submit("bob", 0)
    published = publish_builder(room.database, NEW_TESTS, "rejudge_all")
    assert published.rejudge is not None
    assert published.rejudge.submissions == 3
    room.judge_anew([100, 60])
    assert room.scores() == {"ada": 60, "bob": 0}
    room.judge_anew([40])
    assert room.scores() == {"ada": 100, "bob": 40}
    (row,) = room.rows(rejudge)
    assert (row["state"], row["applies_itself"]) == ("applied", True)
    assert {one["revision_id"] for one in room.rows(judgement) if one["is_current"]} == {
        published.revision_id
    }


def test_rejudge_best_judges_one_submission_of_each_account(room: Room) -> None:
    room.submit("ada", 40)
    room.submit("ada", 60)
    room.submit("ada", 60)
    room.submit("bob", 0)
    published = publish_builder(room.database, NEW_TESTS, "rejudge_best")
    assert published.rejudge is not None
    assert published.rejudge.submissions == 2
    room.judge_anew([100, 0])
    assert room.scores() == {"ada": 100, "bob": 0}


@pytest.mark.parametrize(("allow_decrease", "score"), [(False, 60), (True, 40)])
def test_scores_fall_only_where_that_was_allowed(
    room: Room, allow_decrease: bool, score: int
) -> None:
    room.submit("ada", 60)
    package = load_package(NEW_TESTS)
    chosen = Scores(ScorePolicy.REJUDGE_ALL, allow_decrease)
    publish(room.database, package, proof_of(package), chosen)
    room.judge_anew([40])
    assert room.scores() == {"ada": score}


def test_what_was_not_judged_yet_is_judged_on_both_revisions(room: Room) -> None:
    hand_in(room.database, room.learner("ada"))
    publish_builder(room.database, NEW_TESTS, "rejudge_all")
    room.judge_anew([40])
    assert room.current() == [(1, "submit", 40)]
    room.judge_anew([60])
    assert room.current() == [(2, "rejudge", 60)]
    assert room.scores() == {"ada": 60}


def test_a_problem_without_submissions_needs_no_rejudge(room: Room) -> None:
    assert publish_builder(room.database, NEW_TESTS, "rejudge_all").rejudge is None
    assert room.rows(rejudge) == []


def test_a_second_rejudge_is_refused_and_publishes_nothing(room: Room) -> None:
    room.submit("ada", 60)
    second = publish_builder(room.database, NEW_TESTS, "rejudge_all")
    with pytest.raises(Conflict) as refused:
        publish_builder(room.database, NEWER_TESTS, "rejudge_best")
    assert refused.value.code == "rejudge-open"
    with room.database.read() as connection:
        assert find_problem(connection, SLUG).revision_id == second.revision_id
        assert len(list_revisions(connection, room.problem_id)) == 2
    assert publish_builder(room.database, NEWER_TESTS, "keep").number == 3


def test_an_older_revision_goes_through_the_same_choice(room: Room) -> None:
    with room.database.read() as connection:
        first = find_problem(connection, SLUG).revision_id
    publish_builder(room.database, NEW_TESTS, "keep")
    room.submit("ada", 60)
    with pytest.raises(Conflict) as refused:
        publish_revision(room.database, first, Scores())
    assert refused.value.code == "needs-score-policy"
    back = publish_revision(room.database, first, Scores(ScorePolicy.REJUDGE_ALL))
    assert (back.number, back.is_new, back.rejudge.submissions) == (1, True, 1)


def test_a_publication_is_audited(room: Room) -> None:
    admin = room.admin()
    package = load_package(NEW_TEXT)
    publish(room.database, package, proof_of(package), publisher=admin)
    last = max(room.rows(audit_log), key=lambda row: row["id"])
    assert (last["action"], last["target"]) == ("problem.publish", f"problem:{SLUG}")
    assert last["actor_id"] == admin.account_id
    assert (last["before"]["revision"], last["after"]["revision"]) == (1, 2)


def test_a_teacher_owns_what_it_made_and_nothing_else(database: Database) -> None:
    hall, package = Hall(database), load_package()
    ann, bob = hall.admin("ann", Role.TEACHER), hall.admin("bob", Role.TEACHER)
    made = publish(database, package, proof_of(package), publisher=ann)
    with database.read() as connection:
        found = find_problem(connection, SLUG)
    assert (found.owner_id, found.visibility) == (ann.account_id, "class")
    changed = load_package(NEW_TEXT)
    with pytest.raises(Conflict) as refused:
        publish(database, changed, proof_of(changed), publisher=bob)
    assert refused.value.code == "slug-taken"
    for action in (
        lambda: publish_revision(database, made.revision_id, Scores(), bob),
        lambda: retire(database, bob, SLUG),
    ):
        with pytest.raises(NotFound):
            action()
    assert publish(database, changed, proof_of(changed), publisher=ann).number == 2


def test_only_admins_replace_what_an_admin_shows_to_everybody(database: Database) -> None:
    hall = Hall(database)
    ann = hall.admin("ann", Role.TEACHER)
    package = load_package()
    publish(database, package, proof_of(package), publisher=ann)
    changed = load_package(NEW_TEXT)
    publish(database, changed, proof_of(changed), publisher=hall.admin())
    with database.read() as connection:
        found = find_problem(connection, SLUG)
    assert (found.owner_id, found.visibility) == (ann.account_id, "public")
    for action in (
        lambda: publish(database, package, proof_of(package), publisher=ann),
        lambda: retire(database, ann, SLUG),
    ):
        with pytest.raises(Forbidden) as refused:
            action()
        assert refused.value.code == "published-to-all"


def test_an_admin_shows_to_everybody_what_is_published_already(database: Database) -> None:
    hall = Hall(database)
    ann, admin = hall.admin("ann", Role.TEACHER), hall.admin()
    package = load_package()
    publish(database, package, proof_of(package), publisher=ann)
    shown = publish(database, package, proof_of(package), publisher=admin)
    assert (shown.is_new, shown.visibility) == (False, "public")
    again = publish(database, package, proof_of(package), publisher=ann)
    assert (again.is_new, again.visibility) == (False, "public")
    with database.read() as connection:
        assert find_problem(connection, SLUG).visibility == "public"
        acts = connection.scalars(
            select(audit_log.c.actor_id).where(audit_log.c.action == "problem.show")
        ).all()
    assert acts == [admin.account_id]


def test_lists_hold_what_the_rules_let_a_viewer_see(database: Database) -> None:
    hall = Hall(database)
    ann, bob = hall.admin("ann", Role.TEACHER), hall.admin("bob", Role.TEACHER)
    viewers = (None, hall.admin("zoe", Role.LEARNER), ann, bob, hall.admin())
    for owner in (None, ann):
        for visibility in VISIBILITIES:
            name = f"by_{'nobody' if owner is None else 'ann'}_{visibility}"
            yaml = JUDGE_YAML.replace("name: count_large", f"name: {name}")
            package = load_package({"judge.yaml": yaml})
            publish(database, package, proof_of(package), publisher=owner)
            with database.write() as connection:
                connection.execute(
                    update(problem).where(problem.c.slug == name).values(visibility=visibility)
                )
    with database.read() as connection:
        every = list_published(connection, EVERY_PROBLEM)
        assert len(every) == 2 * len(VISIBILITIES)
        for viewer in viewers:
            sight = sight_of(viewer)
            expected = [
                one.slug for one in every if may_see_problem(sight, one.visibility, one.owner_id)
            ]
            assert [one.slug for one in list_published(connection, sight)] == expected


class Hall(Room):
    """A judge without any problem."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.learners = {}
