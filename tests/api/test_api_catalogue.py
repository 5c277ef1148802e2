"""The catalogue: searching it, what is shown of a problem, and what builds on what."""

from typing import Any

import pytest
from api_world import GROUPS, SLUG, World, hidden_failure, judgement_of, publish_package
from package_builder import JUDGE_YAML, PROBLEM_YAML, load_package
from queue_rows import add_account

from judge.domain.verdicts import Verdict

NAMES = "name: {vi: Đếm giá trị lớn, ja: 大きい値を数える, en: Count large values}"


def add_problem(
    world: World, slug: str, name: str, topic: str = "counting", requires: str = ""
) -> None:
    yaml = (
        JUDGE_YAML.replace("name: count_large", f"name: {slug}")
        .replace("topics: [counting]", f"topics: [{topic}]")
        .replace("prerequisites: []", f"prerequisites: [{requires}]")
    )
    problem = PROBLEM_YAML.replace(NAMES, f"name: {name}")
    publish_package(world.database, load_package({"judge.yaml": yaml, "problem.yaml": problem}))


@pytest.fixture
def course(world: World) -> World:
    """count_large, then two more; the last builds on both and on a concept."""
    add_problem(
        world, "top_p", "{vi: Lấy mẫu top-p, ja: top-p 抽出, en: Nucleus sampling}", "sampling"
    )
    add_problem(
        world,
        "draft_check",
        "{vi: Kiểm tra nháp, ja: 下書きの検証, en: Checking drafts}",
        "sampling",
        "count_large, top_p, softmax-basics",
    )
    return world


def slugs(world: World, who: str, **query: Any) -> list[str]:
    client = world.anonymous() if who == "anonymous" else world.client(who)
    answer = client.get("/api/v1/problems", params=query)
    assert answer.status_code == 200, answer.text
    return [item["slug"] for item in answer.json()["items"]]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"q": "lay mau"}, ["top_p"]),
        ({"q": "下書き"}, ["draft_check"]),
        ({"q": "COUNT"}, [SLUG]),
        ({"q": "draft_check"}, ["draft_check"]),
        ({"q": "nothing like it"}, []),
        ({"topic": "sampling"}, ["top_p", "draft_check"]),
        ({"topic": "unknown"}, []),
        ({"topic": "sampling", "q": "nucleus"}, ["top_p"]),
        ({}, [SLUG, "top_p", "draft_check"]),
    ],
)
def test_problems_are_found_by_words_and_topics(
    course: World, query: dict[str, str], found: list[str]
) -> None:
    assert slugs(course, "anonymous", **query) == found
    assert slugs(course, "learner", locale="vi", **query) == found


def test_problems_are_found_by_how_far_one_is(course: World) -> None:
    assert slugs(course, "learner", status="new") == [SLUG, "top_p", "draft_check"]
    course.submit_and_judge(None)
    assert slugs(course, "learner", status="tried") == [SLUG]
    case = hidden_failure(Verdict.WRONG_ANSWER)
    course.submit_and_judge(judgement_of(course.package, {case.id: case}))
    assert slugs(course, "learner", status="tried") == [SLUG]
    course.submit_and_judge(judgement_of(course.package))
    assert slugs(course, "learner", status="solved") == [SLUG]
    assert slugs(course, "learner", status="new") == ["top_p", "draft_check"]
    assert slugs(course, "anonymous", status="solved") == []


@pytest.mark.parametrize("query", [{"status": "done"}, {"q": "x" * 101}, {"topic": "x" * 65}])
def test_a_filter_that_is_none_is_refused(world: World, query: dict[str, str]) -> None:
    answer = world.anonymous().get("/api/v1/problems", params=query)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == f"/query/{next(iter(query))}"


def test_a_filtered_list_has_pages_too(course: World) -> None:
    client = course.client("learner")
    page = client.get("/api/v1/problems", params={"topic": "sampling", "limit": 1}).json()
    assert [item["slug"] for item in page["items"]] == ["top_p"]
    rest = client.get(page["next"]).json()
    assert [item["slug"] for item in rest["items"]] == ["draft_check"]
    assert rest["next"] is None


def test_the_share_that_solved_a_problem_speaks_of_five_accounts_at_least(world: World) -> None:
    def rate() -> float | None:
        (item,) = world.anonymous().get("/api/v1/problems").json()["items"]
        return item["solved_rate"]

    case = hidden_failure(Verdict.WRONG_ANSWER)
    results = [judgement_of(world.package)] * 3 + [judgement_of(world.package, {case.id: case})] * 2
    for number, result in enumerate(results):
        assert rate() is None
        add_account(world.database, f"learner-{number}")
        world.submit_and_judge(result, f"learner-{number}")
    assert rate() == 0.6
    # Whoever has nothing but our own fault has submitted, and not solved it.
    world.submit_and_judge(None)
    assert rate() == 0.5


def test_the_map_shows_problems_concepts_and_how_far_one_is(course: World) -> None:
    course.submit_and_judge(judgement_of(course.package))
    graph = course.client("learner").get("/api/v1/topics/graph").json()
    assert [(node["id"], node["kind"], node["status"]) for node in graph["nodes"]] == [
        (SLUG, "problem", "solved"),
        ("top_p", "problem", "new"),
        ("draft_check", "problem", "new"),
        ("softmax-basics", "concept", None),
    ]
    assert graph["edges"] == [
        {"from": one, "to": "draft_check"} for one in (SLUG, "top_p", "softmax-basics")
    ]
    anonymous = course.anonymous().get("/api/v1/topics/graph?locale=vi").json()
    assert {node["status"] for node in anonymous["nodes"]} == {None}
    assert anonymous["nodes"][1]["title"] == "Lấy mẫu top-p"


def test_a_problem_that_one_does_not_see_is_a_mere_concept(course: World) -> None:
    yaml = JUDGE_YAML.replace("name: count_large", "name: staff_only").replace(
        "visibility: public", "visibility: staff"
    )
    names = PROBLEM_YAML.replace(NAMES, "name: {vi: Kín, ja: 秘密, en: Secret title}")
    publish_package(course.database, load_package({"judge.yaml": yaml, "problem.yaml": names}))
    add_problem(course, "later", "{vi: Sau, ja: 後, en: Later}", requires="staff_only")
    graph = course.client("learner").get("/api/v1/topics/graph")
    assert "Secret title" not in graph.text
    kinds = {node["id"]: node["kind"] for node in graph.json()["nodes"]}
    assert kinds["staff_only"] == "concept"
    staff = course.client("teacher").get("/api/v1/topics/graph").json()
    assert {node["id"]: node["kind"] for node in staff["nodes"]}["staff_only"] == "problem"


class TestRevisions:
    def published(self, world: World) -> tuple[str, str]:
        """The first revision, and the one that took its place."""
        first = f"rev_{world.published.revision_id}"
        title = PROBLEM_YAML.replace("Count large values", "Count anew")
        second = publish_package(world.database, load_package({"problem.yaml": title}), "keep")
        return first, f"rev_{second.revision_id}"

    def title(self, world: World, who: str, revision: str) -> str | int:
        client = world.anonymous() if who == "anonymous" else world.client(who)
        answer = client.get(f"/api/v1/problems/{SLUG}", params={"revision": revision})
        return answer.json()["title"] if answer.status_code == 200 else answer.status_code

    def test_who_submitted_on_an_earlier_one_reads_it(self, world: World) -> None:
        world.submit("learner")
        first, second = self.published(world)
        assert self.title(world, "learner", first) == "Count large values"
        assert self.title(world, "learner", second) == "Count anew"
        for who in ("other", "anonymous"):
            assert self.title(world, who, first) == 404
            assert self.title(world, who, second) == "Count anew"
        for who in ("teacher", "admin"):
            assert self.title(world, who, first) == "Count large values"

    @pytest.mark.parametrize("revision", ["rev_1", "rev_" + "0" * 32, "sub_" + "0" * 32, ""])
    def test_what_names_no_revision_is_not_found(self, world: World, revision: str) -> None:
        assert self.title(world, "admin", revision) == 404

    def test_a_revision_of_another_problem_is_none_of_this(self, course: World) -> None:
        other = course.client("admin").get("/api/v1/problems/top_p").json()["revision"]["id"]
        assert self.title(course, "admin", other) == 404


def test_a_problem_says_what_a_run_may_ask(world: World) -> None:
    told = world.anonymous().get(f"/api/v1/problems/{SLUG}").json()
    assert told["own_input"] == {"offered": True, "reference": True}
    assert sum(GROUPS.values()) == told["points"]
