"""Uploads are read in a process of its own, which can be ended and slows nobody here."""

import os
import signal
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from api_world import World
from package_builder import load_package, package_files
from upload_calls import named, pass_verification, upload

from judge.api import intake as intakes
from judge.api.errors import HttpProblem
from judge.api.intake import Intake
from judge.errors import JudgeBroken
from judge.packages.content import content_of
from judge.packages.files import PackageFiles, to_zip
from judge.packages.intake import child

ARCHIVE = to_zip(package_files())


def replaced(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """Another program in the place of the reading one."""
    monkeypatch.setattr(intakes, "_COMMAND", (intakes.sys.executable, "-c", program))


@pytest.fixture
def apart(world: World) -> World:
    """A judge that reads uploads as it does when it serves."""
    world.app.state.parts = replace(world.app.state.parts, intake=Intake())
    return world


def test_what_comes_back_is_what_reading_here_would_give() -> None:
    assert Intake().examine(ARCHIVE, ()).content == content_of(load_package())


def test_from_an_upload_to_a_problem_without_reading_it_here(apart: World) -> None:
    answer = upload(apart, "admin", named("mine"))
    assert answer.status_code == 202, answer.text
    path = pass_verification(apart, answer)
    assert apart.client("admin").post(f"{path}/publish").json()["is_new"] is True
    shown = apart.client("learner").get("/api/v1/problems/mine").json()
    assert (shown["topics"], shown["points"]) == (["counting"], 100)
    assert len(shown["samples"]) == 1


def test_every_finding_comes_back(apart: World) -> None:
    files = package_files({"judge.yaml": "format: judge/1\n", "statement/problem.fr.md": "x\n"})
    answer = upload(apart, "teacher", files)
    assert (answer.status_code, answer.json()["code"]) == (422, "package-invalid")
    codes = {one["code"] for one in answer.json()["findings"]}
    assert codes == {"missing-key", "unknown-locale"}


class TestLimits:
    def test_one_that_uses_up_its_time_or_memory_is_a_finding(
        self, apart: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        replaced(monkeypatch, f"raise SystemExit({child.TOO_COSTLY})")
        answer = upload(apart, "teacher", named("mine"))
        (finding,) = answer.json()["findings"]
        assert (answer.status_code, finding["code"]) == (422, "package-too-costly")
        assert "smaller" in finding["message"]

    @pytest.mark.parametrize("ended_by", ["SIGXCPU", "SIGKILL", "SIGSEGV"])
    def test_one_that_is_ended_is_the_same_finding(
        self, monkeypatch: pytest.MonkeyPatch, ended_by: str
    ) -> None:
        replaced(monkeypatch, f"import os; os.kill(os.getpid(), {getattr(signal, ended_by)})")
        assert [one.code for one in Intake().examine(ARCHIVE, ()).findings] == [
            "package-too-costly"
        ]

    def test_one_that_does_not_end_is_ended(self, monkeypatch: pytest.MonkeyPatch) -> None:
        replaced(monkeypatch, "import time; time.sleep(3600)")
        found = Intake(longest_s=0.2).examine(ARCHIVE, ()).findings
        assert [one.code for one in found] == ["package-too-costly"]

    def test_one_that_answers_without_end_is_not_kept(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(intakes, "MAX_ANSWER_BYTES", 4096)
        replaced(monkeypatch, "import sys\nwhile True: sys.stdout.write('x' * 65536)")
        found = Intake().examine(ARCHIVE, ()).findings
        assert [one.code for one in found] == ["package-too-costly"]

    @pytest.mark.parametrize("program", ["raise ValueError('ours')", "print('no answer')"])
    def test_a_fault_of_ours_is_no_finding(
        self, monkeypatch: pytest.MonkeyPatch, program: str
    ) -> None:
        replaced(monkeypatch, program)
        with pytest.raises(JudgeBroken):
            Intake().examine(ARCHIVE, ())

    def test_the_process_holds_nothing_of_ours_and_gives_up_what_it_can(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("JUDGE_DATABASE_URL", "sqlite:////secret.db")
        secret = os.open(tmp_path / "secret", os.O_CREAT | os.O_RDWR)
        os.set_inheritable(secret, True)
        replaced(
            monkeypatch,
            "import os, resource\n"
            "from judge.packages.intake import child\n"
            "child._give_up()\n"
            "kinds = ('CPU', 'AS', 'CORE', 'FSIZE', 'NOFILE', 'NPROC')\n"
            "print([resource.getrlimit(getattr(resource, 'RLIMIT_' + one)) for one in kinds])\n"
            "print(sorted(name for name in os.environ if name.startswith('JUDGE')))\n"
            f"print({secret} < 3 or os.path.exists('/proc/self/fd/{secret}'))\n"
            "print(os.getcwd())\n",
        )
        code, said, complaint = intakes._run(b"", 60.0)
        os.close(secret)
        assert (code, complaint) == (0, "")
        limits = [child.CPU_S, child.ADDRESS_SPACE_BYTES, 0, 0, child.OPEN_FILES, 0]
        expected = [str([(one, one) for one in limits]), "[]", "False", "/"]
        assert said.decode().splitlines() == expected

    def test_a_package_that_needs_more_memory_than_there_is(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        replaced(
            monkeypatch,
            "import sys\n"
            "from judge.packages.intake import child\n"
            "child._answer = lambda order: bytearray(4 * child.ADDRESS_SPACE_BYTES)\n"
            "sys.exit(child.main())\n",
        )
        found = Intake().examine(ARCHIVE, ()).findings
        assert [one.code for one in found] == ["package-too-costly"]


class TestTurns:
    def test_who_waits_too_long_is_told_when_to_come_again(
        self, apart: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        intake = Intake(longest_wait_s=0.0)
        apart.app.state.parts = replace(apart.app.state.parts, intake=intake)
        with intake._in_turn():
            answer = upload(apart, "teacher", named("mine"))
        assert (answer.status_code, answer.json()["code"]) == (503, "uploads-busy")
        assert answer.headers["retry-after"] == str(intakes.RETRY_AFTER_S)
        assert upload(apart, "teacher", named("mine")).status_code == 202

    def test_more_than_a_few_do_not_even_wait(self) -> None:
        intake = Intake(longest_wait_s=60.0)
        held = threading.Event()
        refused: list[str] = []

        def ask() -> None:
            try:
                with intake._in_turn():
                    held.wait(60.0)
            except HttpProblem as error:
                refused.append(error.code)
                held.set()

        threads = [threading.Thread(target=ask) for _ in range(intakes.MOST_WAITING + 2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert refused == ["uploads-busy"]


def test_the_archive_of_a_stored_package_is_no_upload(apart: World) -> None:
    """A package with its proof keeps it when it is read for publication."""
    proved = PackageFiles({**package_files(), "verified.json": b"{}"})
    assert Intake().content(to_zip(proved)).blob == to_zip(proved)
