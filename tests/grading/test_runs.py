"""Runs in real boxes: the verdicts that Submit gives, own input, and the package's own programs."""

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from grading_packages import PACKAGES
from package_builder import JUDGE_YAML, load_package
from queue_rows import add_account
from sqlalchemy import select

from judge.actions.publish import publish
from judge.actions.runs import NewRun, start_run
from judge.db.engine import Database
from judge.db.tables import run
from judge.domain.access import Caller, Role
from judge.grading.pipeline import Grader
from judge.packages.files import PackageFiles, read_folder
from judge.packages.kattis.importing import import_package
from judge.packages.package import Package, load
from judge.packages.proof import Proof, write_proof
from judge.queue.jobs import claim
from judge.queue.wakeup import Bell
from judge.worker.graders import Graders
from judge.worker.revisions import Revisions
from judge.worker.run_job import make_run

RIGHT = "def count_large(values, limit):\n    return sum(v > limit for v in values)\n"
# Counts how often it was called in a process, and is wrong from the second time on.
COUNTER = (
    "calls = []\n"
    "def count_large(values, limit):\n"
    "    calls.append(1)\n"
    "    return sum(v > limit for v in values) if len(calls) == 1 else -1\n"
)


class Bench:
    """A database with published problems, and one learner who runs sources on them."""

    def __init__(self, database: Database, folder: Path, grader: Grader) -> None:
        self.database = database
        self.grader = grader
        self.revisions = Revisions(database)
        self.bell = Bell(folder / "bell")
        self.learner = Caller(add_account(database, "learner"), "learner", Role.LEARNER)

    def publish(self, package: Package, proof: Proof | None = None) -> Package:
        plain = Proof(package.content_hash, "test", 1, 1, len(package.problem.cases))
        publish(self.database, package, proof or plain)
        return package

    def run(self, slug: str, source: str, **asked: Any) -> dict[str, Any]:
        """What is stored of a run."""
        new = NewRun(slug, "python", source, **asked)
        started = start_run(self.database, self.learner, new)
        held = claim(self.database, ["python"], "w", 60)
        assert held is not None
        graders = Graders(lambda: nullcontext(self.grader))
        make_run(self.database, self.bell, graders, self.revisions, held)
        with self.database.read() as connection:
            query = select(run.c.state, run.c.results).where(run.c.id == started.run_id)
            row = connection.execute(query).one()
        assert row.state == "judged", row.results
        return dict(row.results)


@pytest.fixture
def bench(sqlite_database: Database, tmp_path: Path, grader: Grader) -> Bench:
    return Bench(sqlite_database, tmp_path, grader)


@pytest.mark.parametrize(
    "source",
    [
        RIGHT,
        COUNTER,
        RIGHT.replace(">", ">="),
        "def count_large(values, limit):\n    return values[7]\n",
        "def count_large(values, limit):\n    return 'two'\n",
        "def count_large(values, limit):\n    return",
        "def other(values, limit):\n    return 2\n",
    ],
)
def test_a_sample_gets_the_verdict_that_submit_gives(bench: Bench, source: str) -> None:
    package = bench.publish(load_package())
    submitted = bench.grader.grade(package.problem, source.encode(), "python")
    told = bench.run("count_large", source)
    samples = [case for case in submitted.cases if case.id.startswith("sample/")]
    assert [
        (one["result"]["verdict"], one["result"]["reason"], one["result"]["message"])
        for one in told["cases"]
    ] == [(case.verdict, case.reason, case.message) for case in samples]
    assert told["compile"] == {"ok": submitted.compile.ok, "log": submitted.compile.log}


def test_own_input_brings_the_value_and_where_it_is_asked_the_references(bench: Bench) -> None:
    bench.publish(load_package())
    cases = [{"values": [1.0, 2.0], "limit": 1.5}, {"values": [3.0], "limit": "-Infinity"}]
    source = RIGHT.replace("return", "print('looking')\n    return 10 +")
    told = bench.run("count_large", source, cases=cases, wants_reference=True)
    assert [one["result"]["returned"] for one in told["cases"]] == ["11", "11"]
    assert [one["reference"] for one in told["cases"]] == ["1", "1"]
    assert [one["result"]["stdout"] for one in told["cases"]] == ["looking\n"] * 2
    alone = bench.run("count_large", source, cases=cases)
    assert [one["reference"] for one in alone["cases"]] == [None, None]


def test_input_that_the_problem_does_not_allow_is_not_run(bench: Bench) -> None:
    bench.publish(load_package())
    cases = [{"values": [], "limit": 1.0}, {"values": [1.0], "limit": 0.0}]
    told = bench.run("count_large", RIGHT, cases=cases, wants_reference=True)
    refused, allowed = told["cases"]
    assert (refused["result"], refused["reference"]) == (None, None)
    assert refused["refusal"] == "empty"
    assert (allowed["result"]["returned"], allowed["reference"], allowed["refusal"]) == (
        "1",
        "1",
        "",
    )
    nothing = bench.run("count_large", RIGHT, cases=cases[:1])
    assert (nothing["compile"], len(nothing["cases"])) == (None, 1)


def test_a_source_that_fails_on_own_input_says_why(bench: Bench) -> None:
    bench.publish(load_package())
    source = "def count_large(values, limit):\n    return 1 // 0\n"
    cases = [{"values": [1.0], "limit": 0.0}]
    (one,) = bench.run("count_large", source, cases=cases, wants_reference=True)["cases"]
    result = one["result"]
    assert (result["verdict"], result["error_class"], result["error_line"]) == (
        "runtime_error",
        "ZeroDivisionError",
        2,
    )
    assert one["reference"] == "1"
    compiled = bench.run("count_large", "def count_large(:", cases=cases)
    assert not compiled["compile"]["ok"]
    assert [one["result"] for one in compiled["cases"]] == [None]


def test_a_reference_that_breaks_or_does_not_end_costs_an_answer_and_nothing_else(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    reference = (
        "def count_large(values, limit):\n"
        "    if limit > 5:\n        return 1 // 0\n"
        "    return sum(v > limit for v in values)\n"
    )
    bench.publish(load_package({"reference.py": reference}))
    cases = [{"values": [1.0], "limit": 9.0}, {"values": [1.0], "limit": 0.0}]
    told = bench.run("count_large", RIGHT, cases=cases, wants_reference=True)
    assert [one["reference"] for one in told["cases"]] == [None, "1"]
    assert [one["result"]["returned"] for one in told["cases"]] == ["0", "1"]


def test_the_learners_code_never_shares_a_box_with_the_reference(bench: Bench) -> None:
    """What a source leaves in its process is not there when the reference is asked."""
    reference = (
        "import builtins\n"
        "def count_large(values, limit):\n"
        "    return getattr(builtins, 'left_behind', 0)\n"
    )
    bench.publish(load_package({"reference.py": reference}))
    source = (
        "import builtins\n"
        "def count_large(values, limit):\n    builtins.left_behind = 7\n    return 7\n"
    )
    cases = [{"values": [1.0], "limit": 0.0}]
    (one,) = bench.run("count_large", source, cases=cases, wants_reference=True)["cases"]
    assert (one["result"]["returned"], one["reference"]) == ("7", "0")


def test_a_large_value_is_kept_by_its_head(bench: Bench) -> None:
    returns = JUDGE_YAML.replace("returns: int", "returns: str")
    answers = {path: b'"x"\n' for path in load_package().files if path.endswith(".ans")}
    bench.publish(load_package({"judge.yaml": returns, **answers}))
    source = "def count_large(values, limit):\n    print('y' * 50_000)\n    return 'x' * 50_000\n"
    cases = [{"values": [1.0], "limit": 0.0}]
    (one,) = bench.run("count_large", source, cases=cases)["cases"]
    assert one["result"]["returned"].endswith("~")
    assert len(one["result"]["returned"]) == 8 * 1024
    assert len(one["result"]["stdout"]) == 4 * 1024


def test_a_program_reads_own_input_and_its_samples(bench: Bench) -> None:
    made = import_package(read_folder(PACKAGES / "stdio_hello"), "stdio_hello")
    text = made.files["judge.yaml"].decode().replace("visibility: draft", "visibility: public")
    files = PackageFiles({**made.files, "judge.yaml": text.encode()})
    package = bench.publish(load(files, made.slug))
    source = (PACKAGES / "stdio_hello/submissions/accepted/greet.py").read_text()
    told = bench.run(package.slug, source)
    assert [one["result"]["verdict"] for one in told["cases"]] == ["accepted", "accepted"]
    (one,) = bench.run(package.slug, source, cases=[{"input": "Tú  Mai\n"}])["cases"]
    assert one["result"]["returned"] == '"Good morning, T\\u00fa Mai!\\n"'


def test_a_distribution_runs_on_its_samples(bench: Bench) -> None:
    files = dict(read_folder(PACKAGES / "dist_sampler"))
    files |= {f"statement/problem.{locale}.md": b"$p$\n" for locale in ("vi", "ja", "en")}
    text = files["judge.yaml"].decode()
    files["judge.yaml"] = text.replace("visibility: draft", "visibility: public").encode()
    plain = load(PackageFiles(files), "dist_sampler")
    values = {case.id: 18.5 for case in plain.problem.cases}
    proof = Proof(plain.content_hash, "test", 3, 7, len(values), values)
    files["verified.json"] = write_proof(proof)
    bench.publish(load(PackageFiles(files), "dist_sampler"), proof)
    reference = (PACKAGES / "dist_sampler/reference.py").read_text()
    (one,) = bench.run("dist_sampler", reference)["cases"]
    assert (one["result"]["verdict"], one["result"]["returned"]) == ("accepted", None)
    uniform = (PACKAGES / "dist_sampler/submissions/wrong_answer/uniform.py").read_text()
    assert bench.run("dist_sampler", uniform)["verdict"] == "wrong_answer"
