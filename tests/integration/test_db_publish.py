"""Publishing packages: what becomes a revision, and what happens to scores."""

from pathlib import Path

import pytest
from db_world import SLUG, hand_in, judgement, learner, proof_of, publish_builder, take
from package_builder import JUDGE_YAML, STATEMENTS, case_texts, load_package, package_files
from queue_rows import add_account
from sqlalchemy import func, select

from judge.actions.publish import publish
from judge.actions.publish_builtin import publish_builtin
from judge.actions.record import record
from judge.actions.revisions import store_revision
from judge.db.engine import Database
from judge.db.queries.judging import select_package
from judge.db.queries.problems import find_problem, list_prerequisites, list_topics
from judge.db.queries.scores import find_best_score
from judge.db.tables import revision, statement, test_case, test_group
from judge.domain.access import Caller, Role
from judge.errors import Conflict
from judge.packages.archives import read_archive
from judge.packages.content import content_of
from judge.packages.package import load
from judge.packages.proof import Proof, write_proof

NEW_TEXT = {"statement/problem.en.md": STATEMENTS["en"] + "\nGood luck.\n"}
NEW_TESTS = case_texts("secret/10-basic/02", [9.0], 1.0, 1)


def rows(database: Database, table) -> int:
    with database.read() as connection:
        return connection.scalar(select(func.count()).select_from(table)) or 0


def test_a_package_becomes_a_problem_with_a_revision(database: Database) -> None:
    done = publish_builder(database)
    assert (done.number, done.is_new) == (1, True)
    assert [rows(database, table) for table in (revision, statement, test_group, test_case)] == [
        1,
        3,
        3,
        4,
    ]
    with database.read() as connection:
        found = find_problem(connection, SLUG)
        assert found is not None
        assert (found.state, found.points, found.revision_id) == (
            "published",
            100,
            done.revision_id,
        )
        assert list_topics(connection, [found.id])[found.id] == ("counting",)


def test_a_worker_gets_the_same_package_back(database: Database) -> None:
    done = publish_builder(database)
    with database.read() as connection:
        blob = select_package(connection, done.revision_id)
    assert load(read_archive(blob), SLUG).content_hash == load_package().content_hash


@pytest.mark.parametrize(
    "proof",
    [
        None,
        Proof("0" * 64, "test", 1, 1, 4),
        Proof(load_package().content_hash, "test", 0, 1, 4),
        Proof(load_package().content_hash, "test", 1, 1, 3),
    ],
)
def test_without_a_proof_that_fits_nothing_is_published(
    database: Database, proof: Proof | None
) -> None:
    with pytest.raises(Conflict) as refused:
        publish(database, load_package(), proof)
    assert refused.value.code == "not-verified"
    assert rows(database, revision) == 0


def test_the_same_package_again_is_nothing_to_do(database: Database) -> None:
    first, again = publish_builder(database), publish_builder(database)
    assert (again.revision_id, again.is_new) == (first.revision_id, False)
    assert rows(database, revision) == 1


def test_a_new_text_moves_the_pointer_and_keeps_scores(database: Database) -> None:
    publish_builder(database)
    ada = learner(database)
    hand_in(database, ada)
    record(database, take(database), judgement(60))
    second = publish_builder(database, NEW_TEXT)
    assert (second.number, second.is_new) == (2, True)
    with database.read() as connection:
        best = find_best_score(connection, ada.account_id, second.problem_id)
    assert best is not None
    assert best.score.earned == 60


def test_new_tests_need_a_word_about_scores(database: Database) -> None:
    first = publish_builder(database)
    with pytest.raises(Conflict) as refused:
        publish_builder(database, NEW_TESTS)
    assert refused.value.code == "needs-score-policy"
    with database.read() as connection:
        assert find_problem(connection, SLUG).revision_id == first.revision_id
    assert publish_builder(database, NEW_TESTS, "keep").number == 2


def test_an_older_package_can_be_published_again(database: Database) -> None:
    first = publish_builder(database)
    publish_builder(database, NEW_TEXT)
    back = publish_builder(database)
    assert (back.revision_id, back.number, back.is_new) == (first.revision_id, 1, True)


def test_points_are_set_once_and_topics_each_time(database: Database) -> None:
    publish_builder(database)
    yaml = JUDGE_YAML.replace("topics: [counting]", "topics: [sorting, counting]")
    yaml = yaml.replace("prerequisites: []", "prerequisites: [some-concept]")
    changed = publish_builder(database, {"judge.yaml": yaml})
    with database.read() as connection:
        assert find_problem(connection, SLUG).points == 100
        topics = list_topics(connection, [changed.problem_id])
        assert topics == {changed.problem_id: ("sorting", "counting")}
        assert list_prerequisites(connection, changed.problem_id) == ("some-concept",)


def write_builtin(folder: Path, changes: dict[str, str], proved: bool = True) -> None:
    files = package_files(changes)
    for path, content in files.items():
        target = folder / SLUG / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    if proved:
        proof = proof_of(load(files, SLUG))
        (folder / SLUG / "verified.json").write_bytes(write_proof(proof))


def test_built_in_problems_are_published_once(sqlite_database: Database, tmp_path: Path) -> None:
    write_builtin(tmp_path / "problems", {})
    assert publish_builtin(sqlite_database, tmp_path / "problems") == (
        "count_large: published revision 1",
    )
    assert publish_builtin(sqlite_database, tmp_path / "problems") == ()


def test_a_newer_built_in_package_replaces_nothing(
    sqlite_database: Database, tmp_path: Path
) -> None:
    write_builtin(tmp_path / "problems", {})
    publish_builtin(sqlite_database, tmp_path / "problems")
    write_builtin(tmp_path / "problems", NEW_TEXT)
    (sentence,) = publish_builtin(sqlite_database, tmp_path / "problems")
    assert sentence.startswith("count_large: revision 1 stays published with its scores")
    assert rows(sqlite_database, revision) == 1


def test_a_slug_that_somebody_took_does_not_become_a_built_in_problem(
    sqlite_database: Database, tmp_path: Path
) -> None:
    """Its owner would read what learners say about the problem that everybody sees."""
    package = load_package()
    squatter = Caller(add_account(sqlite_database, "squatter"), "squatter", Role.TEACHER)
    with sqlite_database.write() as connection:
        store_revision(connection, content_of(package), squatter, "pending")
    write_builtin(tmp_path / "problems", {})
    (sentence,) = publish_builtin(sqlite_database, tmp_path / "problems")
    assert sentence.startswith("count_large: not published, somebody has uploaded")


def test_a_built_in_package_without_proof_stops_nobody(
    sqlite_database: Database, tmp_path: Path
) -> None:
    write_builtin(tmp_path / "problems", {}, proved=False)
    broken = tmp_path / "problems" / "broken"
    broken.mkdir()
    (broken / "judge.yaml").write_text("format: judge/2\n")
    sentences = publish_builtin(sqlite_database, tmp_path / "problems")
    assert sentences[0].startswith("broken: not published, the package cannot be read")
    assert sentences[1] == ("count_large: not published, verified.json does not prove this package")
    assert rows(sqlite_database, revision) == 0


def test_a_built_in_problem_says_why_it_is_refused(
    sqlite_database: Database, tmp_path: Path
) -> None:
    unwritten = {"statement/problem.en.md": f"(Not written yet)\n{STATEMENTS['en']}"}
    write_builtin(tmp_path / "problems", unwritten)
    (sentence,) = publish_builtin(sqlite_database, tmp_path / "problems")
    assert sentence.startswith("count_large: not published, ")
    assert "statement/problem.en.md" in sentence
