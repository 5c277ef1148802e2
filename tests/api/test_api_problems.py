"""The list of problems, one problem, its hints and its solution."""

import pytest
from api_world import SLUG, World, canary_package, publish_package
from package_builder import JUDGE_YAML, PROBLEM_YAML, pair_changes
from sqlalchemy import update

from judge.db.tables import problem, unlock

PATH = f"/api/v1/problems/{SLUG}"


def test_everybody_reads_public_problems(world: World) -> None:
    page = world.anonymous().get("/api/v1/problems").json()
    assert page["next"] is None
    assert page["items"] == [
        {
            "slug": SLUG,
            "title": "Count large values",
            "topics": ["counting"],
            "points": 100,
            "languages": ["python"],
            "revision": f"rev_{world.published.revision_id}",
            "solved_rate": None,
            "my": None,
        }
    ]


def test_a_problem_holds_what_is_needed_to_solve_it(world: World) -> None:
    answer = world.anonymous().get(PATH).json()
    assert answer["locale"] == "en"
    assert answer["signature"]["parameters"] == [
        {"name": "values", "type": "list[float]", "doc": "the numbers"},
        {"name": "limit", "type": "float", "doc": "the threshold"},
    ]
    assert (answer["signature"]["returns"], answer["signature"]["returns_doc"]) == (
        "int",
        "how many",
    )
    assert answer["samples"] == [
        {
            "number": 1,
            "title": "Sample 1",
            "arguments": {"values": [1.0, 2.0, 3.0], "limit": 1.0},
            "expected": 2,
            "display": {
                "python": {
                    "input": "values = [1.0, 2.0, 3.0]\nlimit = 1.0",
                    "call": "result = count_large(values, limit)",
                    "expected": "expected = 2",
                }
            },
        }
    ]
    assert answer["limits"] == {"cpu_ms": 2000, "memory_kb": 262144, "stdout_kb": 64}
    points = {group["name"].split("/")[-1]: group["points"] for group in answer["groups"]}
    assert points == {"sample": 0.0, "10-basic": 40.0, "20-edges": 60.0}
    assert list(answer["starter"]) == ["python"]
    assert "def count_large(" in answer["starter"]["python"]
    assert answer["hints"] == 2
    notice = "Hints and the solution can be read by people who are signed in."
    assert answer["locks"] == {"hints": True, "solution": True, "notice": notice}


def test_every_offered_language_has_starter_code_and_samples(world: World) -> None:
    offered = PROBLEM_YAML.replace("[python3]", "[java, cpp, python3]")
    publish_package(world.database, canary_package({"problem.yaml": offered}))
    answer = world.anonymous().get(PATH).json()
    assert answer["languages"] == ["java", "cpp", "python"]
    assert list(answer["starter"]) == list(answer["samples"][0]["display"]) == answer["languages"]
    assert "long long count_large(" in answer["starter"]["cpp"]
    assert "static long count_large(" in answer["starter"]["java"]
    shown = answer["samples"][0]["display"]
    assert [shown[language]["expected"] for language in ("java", "cpp")] == [
        "long expected = 2;",
        "long long expected = 2;",
    ]
    assert shown["cpp"]["input"] == (
        "std::vector<double> values = {1.0, 2.0, 3.0};\ndouble limit = 1.0;"
    )
    assert shown["java"]["call"] == "long result = Solution.count_large(values, limit);"


def test_results_that_the_author_named_are_named_in_the_call(world: World) -> None:
    answer = world.anonymous().get(PATH).json()
    assert answer["signature"]["result_names"] == []
    publish_package(world.database, canary_package(pair_changes("[above, places]")), "keep")
    answer = world.anonymous().get(PATH).json()
    assert answer["signature"]["result_names"] == ["above", "places"]
    shown = answer["samples"][0]["display"]["python"]
    assert shown["call"] == "above, places = count_large(values, limit)"
    assert (shown["expected"], answer["samples"][0]["expected"]) == ("(2, [1])", [2, [1]])


def test_the_statement_comes_as_markdown_and_as_html_around_its_samples(world: World) -> None:
    statement = world.anonymous().get(PATH).json()["statement"]
    assert statement["markdown"].startswith("Count the values $x > 2$.")
    assert [part for part in statement["parts"] if isinstance(part, int)] == [1]
    assert "<math" in statement["parts"][0]
    assert "{{" not in "".join(map(str, statement["parts"]))


@pytest.mark.parametrize(
    ("query", "header", "locale", "title"),
    [
        ("?locale=ja", "vi", "ja", "大きい値を数える"),
        ("", "vi-VN,vi;q=0.9,en;q=0.8", "vi", "Đếm giá trị lớn"),
        ("", "fr, ja;q=0.5", "ja", "大きい値を数える"),
        ("", "fr", "en", "Count large values"),
    ],
)
def test_the_locale_is_the_readers(
    world: World, query: str, header: str, locale: str, title: str
) -> None:
    answer = world.anonymous().get(PATH + query, headers={"Accept-Language": header}).json()
    assert (answer["locale"], answer["title"]) == (locale, title)


def test_an_unknown_locale_is_refused(world: World) -> None:
    answer = world.anonymous().get(f"{PATH}?locale=fr")
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == "/query/locale"


def test_an_unchanged_problem_is_not_sent_again(world: World) -> None:
    client = world.client("learner")
    first = client.get(PATH)
    again = client.get(PATH, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    world.submit()
    after = world.client("learner").get(PATH, headers={"If-None-Match": first.headers["etag"]})
    assert after.status_code == 200


@pytest.mark.parametrize("slug", ["nothing", "Count_Large", "..%2fme", "count_large/nothing"])
def test_what_is_not_there_is_404(world: World, slug: str) -> None:
    answer = world.anonymous().get(f"/api/v1/problems/{slug}")
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    "change",
    [{"state": "draft"}, {"visibility": "staff"}, {"visibility": "draft"}],
)
def test_what_is_not_public_does_not_exist_for_learners(
    world: World, change: dict[str, str]
) -> None:
    with world.database.write() as connection:
        connection.execute(update(problem).values(change))
    learner = world.client("learner")
    assert learner.get("/api/v1/problems").json()["items"] == []
    for path in (PATH, f"{PATH}/hints/1", f"{PATH}/solution"):
        assert learner.get(path).status_code == 404
    body = {"language": "python", "source": "x"}
    assert learner.post(f"{PATH}/submissions", json=body).status_code == 404
    assert world.client("teacher").get(PATH).status_code == 200


def test_the_list_has_pages(world: World) -> None:
    for name in ("alpha", "beta"):
        changes = {"judge.yaml": JUDGE_YAML.replace("name: count_large", f"name: {name}")}
        publish_package(world.database, canary_package(changes))
    client = world.anonymous()
    first = client.get("/api/v1/problems?limit=2")
    assert [item["slug"] for item in first.json()["items"]] == [SLUG, "alpha"]
    assert first.headers["link"] == f'<{first.json()["next"]}>; rel="next"'
    second = client.get(first.json()["next"])
    assert [item["slug"] for item in second.json()["items"]] == ["beta"]
    assert "link" not in second.headers


@pytest.mark.parametrize("cursor", ["x", "bnVsbA", "WzEsMl0", "W10", "W1tbW1tbWw"])
def test_a_cursor_that_was_not_given_is_refused(world: World, cursor: str) -> None:
    answer = world.anonymous().get(f"/api/v1/problems?cursor={cursor}")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid-cursor")


def test_hints_and_solution_open_with_the_first_submission(world: World) -> None:
    learner = world.client("learner")
    assert learner.get(f"{PATH}/hints/1").json()["code"] == "hints-locked"
    assert learner.get(f"{PATH}/solution").json()["code"] == "solution-locked"
    assert learner.get(f"{PATH}/solution").json()["unlock"] == "after_submit"
    world.submit()
    learner = world.client("learner")
    assert learner.get(PATH).json()["locks"] == {"hints": False, "solution": False, "notice": ""}
    hint = learner.get(f"{PATH}/hints/1?locale=vi").json()
    assert (hint["markdown"], hint["number"], hint["total"]) == ("canary-hint-one (vi)\n", 1, 2)
    assert "canary-solution" in learner.get(f"{PATH}/solution").json()["html"]
    assert world.client("other").get(f"{PATH}/hints/1").status_code == 403


def test_hints_open_in_order_and_each_opening_is_remembered_once(world: World) -> None:
    world.submit()
    learner = world.client("learner")
    assert learner.get(f"{PATH}/hints/2").json()["code"] == "open-previous-hint-first"
    assert learner.get(f"{PATH}/hints/1").status_code == 200
    assert learner.get(f"{PATH}/hints/1").status_code == 200
    assert learner.get(f"{PATH}/hints/2").status_code == 200
    assert learner.get(f"{PATH}/hints/3").status_code == 404
    with world.database.read() as connection:
        rows = connection.execute(unlock.select()).all()
    assert sorted((row.kind, row.ref) for row in rows) == [("hint", "1"), ("hint", "2")]


@pytest.mark.parametrize("role", ["teacher", "admin"])
def test_staff_read_hints_and_solution_at_once(world: World, role: str) -> None:
    client = world.client(role)
    assert client.get(f"{PATH}/hints/2").status_code == 200
    assert client.get(f"{PATH}/solution").status_code == 200


def test_a_submission_that_was_refused_opens_nothing(world: World) -> None:
    learner = world.client("learner")
    learner.post(f"{PATH}/submissions", json={"language": "rust", "source": "x"})
    assert learner.get(f"{PATH}/hints/1").status_code == 403
