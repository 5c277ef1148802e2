"""The commands that publish, retire, rejudge and check scores, against a real database."""

import json
from pathlib import Path

import pytest
from db_world import SLUG, proof_of
from package_builder import JUDGE_YAML, package_files
from rejudge_world import NEW_TESTS, Room
from sqlalchemy import update
from typer.testing import CliRunner, Result

from judge.cli.main import build_app
from judge.cli.own_proofs import keep_proof
from judge.db import migrate
from judge.db.engine import Database
from judge.db.queries.problems import find_problem
from judge.db.tables import audit_log, best_score, rejudge
from judge.packages.archives import read_archive
from judge.packages.package import load
from judge.packages.proof import write_proof
from judge.settings import Settings


class Desk(Room):
    """A judge in a folder of its own, and its command line."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        database = Database(Settings(data_dir=folder, database_url="").database_url)
        migrate.upgrade_database(database)
        super().__init__(database)

    def run(self, *words: str) -> Result:
        environment = {"JUDGE_DATA_DIR": str(self.folder), "JUDGE_DATABASE_URL": ""}
        return CliRunner().invoke(build_app(words[0]), list(words), env=environment)

    def write(self, changes: dict[str, str], *, proved_here: bool = True) -> str:
        """The folder of a package with its proof."""
        files = package_files(changes)
        folder = self.folder / "packages" / SLUG
        for path, content in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
        package = load(files, SLUG)
        (folder / "verified.json").write_bytes(write_proof(proof_of(package)))
        if proved_here:
            keep_proof(self.folder, proof_of(package))
        return str(folder)

    def rejudge_id(self) -> str:
        return f"rej_{max(self.rows(rejudge), key=lambda row: row['id'])['id']}"


@pytest.fixture
def desk(tmp_path: Path):
    made = Desk(tmp_path)
    yield made
    made.database.close()


def test_a_proof_from_elsewhere_counts_for_nothing(desk: Desk) -> None:
    folder = desk.write(NEW_TESTS, proved_here=False)
    refused = desk.run("problems", "publish", folder, "--scores", "keep")
    assert refused.exit_code == 1
    assert f"not proved here; run first: judge problems verify {folder}" in refused.output


def test_other_tests_demand_a_policy(desk: Desk) -> None:
    desk.submit("ada", 40)
    folder = desk.write(NEW_TESTS)
    refused = desk.run("problems", "publish", folder)
    assert refused.exit_code == 2
    assert "keep, rejudge_best, rejudge_all" in refused.output
    done = desk.run("problems", "publish", folder, "--scores", "rejudge_best")
    assert done.exit_code == 0
    assert done.output.splitlines()[0] == "count_large: revision 2 published"
    assert "1 submissions are judged anew" in done.output
    desk.judge_anew([100])
    assert desk.scores() == {"ada": 100}


@pytest.mark.parametrize(
    ("visibility", "said"),
    [
        ("draft", "shown to no learner"),
        ("staff", "no learner sees the problem"),
        ("class", "only members of the classes"),
        ("public", ""),
    ],
)
def test_it_says_when_no_learner_sees_what_was_published(
    desk: Desk, visibility: str, said: str
) -> None:
    wish = JUDGE_YAML.replace("visibility: public", f"visibility: {visibility}")
    done = desk.run(
        "problems", "publish", desk.write({**NEW_TESTS, "judge.yaml": wish}), "--scores", "keep"
    )
    first, *more = done.output.splitlines()
    assert first == "count_large: revision 2 published"
    assert [said in line for line in more] == [True] * bool(said)


def test_a_choice_that_there_is_not_is_told_with_those_that_there_are(desk: Desk) -> None:
    refused = desk.run("problems", "publish", SLUG, "--scores", "best")
    assert refused.exit_code == 2
    assert "'best' is not one of 'keep', 'rejudge_best', 'rejudge_all'.\n" in refused.output


def test_a_stored_revision_is_published_again(desk: Desk) -> None:
    desk.run("problems", "publish", desk.write(NEW_TESTS), "--scores", "keep")
    again = ("problems", "publish", SLUG, "--revision", "1")
    assert desk.run(*again).exit_code == 2
    assert desk.run(*again, "--scores", "keep").output == "count_large: revision 1 published\n"
    listed = desk.run("problems", "revisions", SLUG).output.splitlines()
    assert [line.split()[0] for line in listed] == ["2", "1"]
    assert listed[1].endswith("published")
    assert desk.run(*again[:3], "--revision", "9").exit_code == 2


def test_a_problem_is_retired_restored_and_downloaded(desk: Desk, tmp_path: Path) -> None:
    def state() -> str:
        with desk.database.read() as connection:
            return find_problem(connection, SLUG).state

    assert desk.run("problems", "retire", SLUG).output == "count_large: retired\n"
    assert state() == "retired"
    assert desk.run("problems", "restore", SLUG).output == "count_large: published\n"
    assert state() == "published"
    output = tmp_path / "package.zip"
    assert desk.run("problems", "download", SLUG, "--output", str(output)).exit_code == 0
    assert load(read_archive(output.read_bytes()), SLUG).slug == SLUG
    for command in ("retire", "restore", "revisions"):
        assert desk.run("problems", command, "nothing").exit_code == 2
    nowhere = str(tmp_path / "no" / "folder.zip")
    assert desk.run("problems", "download", SLUG, "--output", nowhere).exit_code == 2


def test_a_rejudge_is_previewed_shown_and_applied(desk: Desk) -> None:
    desk.submit("ada", 40)
    desk.submit("bob", 60)
    begun = desk.run("rejudge", "preview", SLUG, "--verdict", "wrong_answer")
    assert begun.exit_code == 0, begun.output
    rejudge_id = desk.rejudge_id()
    assert begun.output == (f"{rejudge_id}: 2 submissions of count_large wait to be judged\n")
    assert desk.run("rejudge", "apply", rejudge_id).exit_code == 2
    desk.judge_anew([100, 0])
    shown = json.loads(desk.run("rejudge", "show", rejudge_id, "--json").output)
    assert (shown["state"], shown["up"], shown["kept"], shown["pending"]) == ("preview", 1, 1, 0)
    allowed = json.loads(
        desk.run("rejudge", "show", rejudge_id, "--json", "--allow-decrease").output
    )
    assert (allowed["up"], allowed["down"], allowed["kept"]) == (1, 1, 0)
    applied = desk.run("rejudge", "apply", rejudge_id).output.splitlines()
    assert applied == [
        f"{rejudge_id}: applied",
        "accounts: 1 up, 0 down, 1 same, 0 verdict_only, 1 kept, 0 failed",
        "  ada: 40/100 -> 100/100, up",
        "  bob: 60/100 -> 60/100, same, 1 kept",
    ]
    assert desk.scores() == {"ada": 100, "bob": 60}
    assert "applied; 2 submissions" in desk.run("rejudge", "list", SLUG).output
    assert "ada: 40/100 -> 100/100" in desk.run("rejudge", "show", rejudge_id).output


def test_a_rejudge_is_cancelled(desk: Desk) -> None:
    desk.submit("ada", 40)
    desk.run("rejudge", "preview", SLUG, "--since", "2026-01-01", "--account", "ada")
    rejudge_id = desk.rejudge_id()
    assert desk.run("rejudge", "cancel", rejudge_id).output == f"{rejudge_id}: cancelled\n"
    assert desk.run("rejudge", "cancel", rejudge_id).exit_code == 2
    assert desk.run("rejudge", "show", "nothing").exit_code == 2


def test_scores_are_checked_and_repaired(desk: Desk) -> None:
    for handle, earned in (("ada", 40), ("bob", 60), ("cat", None)):
        desk.submit(handle, earned)
    clean = desk.run("scores", "check")
    assert (clean.output, clean.exit_code) == ("0 differences\n", 0)
    with desk.database.write() as connection:
        connection.execute(update(best_score).values(score_num=99))
    found = desk.run("scores", "check")
    assert found.exit_code == 1
    lines = found.output.splitlines()
    assert lines[0].startswith("ada, count_large: stored 99/100 of 1 submissions")
    assert lines[-1] == "2 differences"
    assert desk.scores() == {"ada": 99, "bob": 99, "cat": None}
    repaired = desk.run("scores", "check", "--repair")
    assert repaired.exit_code == 0
    assert repaired.output.splitlines()[-1] == "repaired; 0 differences left"
    assert desk.scores() == {"ada": 40, "bob": 60, "cat": None}
    assert "scores.repair" in {row["action"] for row in desk.rows(audit_log)}
