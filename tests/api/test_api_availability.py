"""Languages that no machine can judge: what readers are told, and what is refused at once."""

import pytest
from api_world import (
    FIXES,
    SLUG,
    SOURCE,
    VERSIONS,
    World,
    add_worker,
    canary_package,
    publish_package,
)
from package_builder import PROBLEM_YAML

from judge.i18n import LOCALES, catalogue

PATH = f"/api/v1/problems/{SLUG}/submissions"


@pytest.fixture(autouse=True)
def problem_for_all_languages(world: World) -> None:
    offered = PROBLEM_YAML.replace("[python3]", "[python3, cpp, java]")
    publish_package(world.database, canary_package({"problem.yaml": offered}))


def languages(world: World) -> dict[str, tuple[bool, dict[str, str], str]]:
    items = world.anonymous().get("/api/v1/languages").json()["items"]
    return {one["id"]: (one["available"], one["versions"], one["fix"]) for one in items}


def submit(world: World, language: str, handle: str = "learner"):
    return world.client(handle).post(PATH, json={"language": language, "source": SOURCE})


def test_every_language_is_listed_while_nobody_judges(world: World) -> None:
    assert languages(world) == dict.fromkeys(VERSIONS, (False, {}, ""))


def test_a_language_is_available_with_its_versions_or_says_how_to_get_it(world: World) -> None:
    add_worker(world.database, languages=("python", "cpp"), missing=("java",))
    assert languages(world) == {
        "python": (True, VERSIONS["python"], ""),
        "cpp": (True, VERSIONS["cpp"], ""),
        "java": (False, {}, FIXES["java"]),
    }


def test_what_one_machine_lacks_another_may_judge(world: World) -> None:
    add_worker(world.database, missing=("cpp", "java"))
    add_worker(world.database, languages=("python", "cpp"), missing=("java",))
    assert languages(world)["cpp"] == (True, VERSIONS["cpp"], "")
    assert submit(world, "cpp").status_code == 201


@pytest.mark.parametrize(
    "other", [{"is_draining": True}, {"self_test": "pending"}, {"self_test": "failed"}]
)
def test_a_machine_that_will_be_back_keeps_its_languages_open(
    world: World, other: dict[str, object]
) -> None:
    add_worker(world.database, missing=("cpp",))
    add_worker(world.database, languages=("python", "cpp"), **other)
    assert languages(world)["cpp"] == (False, {}, "")
    assert submit(world, "cpp").status_code == 201


@pytest.mark.parametrize("other", [{"is_draining": True}, {"self_test": "failed"}])
def test_only_a_machine_that_judges_says_what_is_missing(
    world: World, other: dict[str, object]
) -> None:
    add_worker(world.database, missing=("cpp",), **other)
    assert languages(world)["cpp"] == (False, {}, "")
    assert submit(world, "cpp").status_code == 201


@pytest.mark.parametrize("language", VERSIONS)
def test_without_any_worker_submissions_wait(world: World, language: str) -> None:
    answer = submit(world, language)
    assert (answer.status_code, answer.json()["state"]) == (201, "queued")


def test_a_submission_that_would_wait_for_nobody_is_refused_and_stored_nowhere(
    world: World,
) -> None:
    add_worker(world.database, missing=("cpp", "java"))
    answer = submit(world, "java")
    assert (answer.status_code, answer.json()["code"]) == (409, "language-unavailable")
    assert answer.headers["content-type"] == "application/problem+json"
    client = world.client("learner")
    assert client.get("/api/v1/submissions").json()["items"] == []
    assert client.get(f"/api/v1/problems/{SLUG}").json()["locks"]["hints"] is True
    assert submit(world, "python").status_code == 201


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize(("handle", "variant"), [("learner", "learner"), ("teacher", "staff")])
def test_the_refusal_says_what_there_is_and_to_staff_what_to_do(
    world: World, locale: str, handle: str, variant: str
) -> None:
    add_worker(world.database, languages=("python", "cpp"), missing=("java",))
    answer = world.client(handle).post(
        f"{PATH}?locale={locale}", json={"language": "java", "source": SOURCE}
    )
    refused = answer.json()
    assert (refused["language"], refused["available"]) == ("java", ["python", "cpp"])
    assert refused.get("fix", "") == ("" if variant == "learner" else FIXES["java"])
    texts = catalogue(locale)
    both = texts["list.separator"].join(["python", "cpp"])
    sentence = texts[f"refused.language-unavailable.{variant}"]
    assert refused["detail"] == sentence.format(language="java", available=both, fix=FIXES["java"])


def test_a_language_that_the_problem_does_not_offer_is_refused_for_that(world: World) -> None:
    add_worker(world.database, missing=("java",))
    publish_package(world.database, canary_package())
    assert submit(world, "java").json()["code"] == "language-not-offered"
