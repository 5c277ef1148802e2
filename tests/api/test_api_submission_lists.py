"""Lists of submissions: filters, and what a teacher reads of the class's learners (walk T10)."""

import pytest
from api_world import HIDDEN_VALUE, World, hidden_failure, judgement_of
from class_world import SLUG, ClassWorld, add_problem, hand_in, now_text

from judge.domain.access import Role

LIST = "/api/v1/submissions"


@pytest.fixture
def room(world: World) -> ClassWorld:
    """learner is in the class, other is not; the class has one of two problems."""
    made = ClassWorld(world)
    add_problem(world, "alpha")
    made.assign()
    return made


def ids(answer) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [one["id"] for one in answer.json()["items"]]


def test_a_teacher_reads_learners_work_on_the_classs_problems(room: ClassWorld) -> None:
    of_class = hand_in(room.world, "learner")["id"]
    elsewhere = hand_in(room.world, "learner", "alpha")["id"]
    of_other = hand_in(room.world, "other")["id"]
    teacher = room.teacher()
    assert ids(teacher.get(LIST, params={"class": room.id})) == [of_class]
    assert ids(teacher.get(LIST, params={"account": "Learner"})) == [of_class]
    assert ids(teacher.get(LIST)) == []
    for account in ("other", "nobody", "*"):
        refused = teacher.get(LIST, params={"account": account})
        assert (refused.status_code, refused.json()["code"]) == (403, "admin-only")
    # What the lists hold and what can be read one by one is the same.
    for identifier, status in ((of_class, 200), (elsewhere, 404), (of_other, 404)):
        for tail in ("", "/source", "/judgements"):
            assert room.teacher().get(f"{LIST}/{identifier}{tail}").status_code == status
    assert ids(room.world.client("admin").get(LIST, params={"account": "*"})) == [
        of_other,
        elsewhere,
        of_class,
    ]
    assert ids(room.world.client("admin").get(LIST, params={"class": room.id})) == [of_class]


def test_a_teacher_sees_hidden_values_in_learners_results(room: ClassWorld) -> None:
    result = judgement_of(room.world.package, {"secret/20-edges/01": hidden_failure()})
    made = room.world.submit_and_judge(result)
    shown = room.teacher().get(f"{LIST}/{made}").text
    assert str(HIDDEN_VALUE) in shown
    assert str(HIDDEN_VALUE) not in room.world.client("learner").get(f"{LIST}/{made}").text


def test_a_learner_finds_the_own_work_of_a_class(room: ClassWorld) -> None:
    room.join("other")
    own = hand_in(room.world, "learner")["id"]
    hand_in(room.world, "learner", "alpha")
    hand_in(room.world, "other")
    assert ids(room.world.client("learner").get(LIST, params={"class": room.id})) == [own]
    refused = room.world.client("learner").get(LIST, params={"class": room.id, "account": "other"})
    assert refused.status_code == 403
    room.world.client("other").post(f"{room.path}/leave")
    assert room.world.client("other").get(LIST, params={"class": room.id}).status_code == 404


def test_a_learner_elsewhere_is_no_teachers_business(room: ClassWorld) -> None:
    """A teacher who only learns in a class reads nobody there."""
    room.add_person("pupil", Role.TEACHER.value)
    room.join("pupil")
    made = hand_in(room.world, "learner")["id"]
    pupil = room.world.client("pupil")
    assert pupil.get(f"{LIST}/{made}").status_code == 404
    assert pupil.get(LIST, params={"account": "learner"}).status_code == 403
    assert ids(pupil.get(LIST, params={"class": room.id})) == []


def test_filters_narrow_a_list(room: ClassWorld) -> None:
    first = hand_in(room.world, "learner", earned=0)["id"]
    between = now_text()
    second = hand_in(room.world, "learner", earned=100)["id"]
    third = hand_in(room.world, "learner", "alpha", earned=None)["id"]
    learner = room.world.client("learner")
    assert ids(learner.get(LIST)) == [third, second, first]
    assert ids(learner.get(LIST, params={"verdict": "accepted"})) == [second]
    assert ids(learner.get(LIST, params={"verdict": "internal_error"})) == [third]
    assert ids(learner.get(LIST, params={"since": between})) == [third, second]
    assert ids(learner.get(LIST, params={"since": between, "problem": SLUG})) == [second]
    both = {"class": room.id, "verdict": "wrong_answer"}
    assert ids(room.teacher().get(LIST, params=both)) == [first]
    for query, pointer in (("verdict=good", "/query/verdict"), ("since=today", "/query/since")):
        answer = room.world.client("learner").get(f"{LIST}?{query}")
        assert [one["pointer"] for one in answer.json()["errors"]] == [pointer]


def test_a_filtered_list_has_pages(room: ClassWorld) -> None:
    made = [hand_in(room.world, "learner")["id"] for _ in range(3)]
    teacher = room.teacher()
    first = teacher.get(LIST, params={"class": room.id, "limit": 2}).json()
    rest = teacher.get(first["next"]).json()
    assert [one["id"] for one in first["items"] + rest["items"]] == made[::-1]
