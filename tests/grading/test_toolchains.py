"""Finding toolchains and preparing what belongs to each once."""

from pathlib import Path

import pytest
from judge_data import JUDGE_DATA

from judge.errors import JudgeBroken, Misconfigured
from judge.grading import machine as machine_module
from judge.grading.machine import Machine
from judge.grading.toolchains import found
from judge.grading.toolchains.found import CppToolchain, JavaToolchain, Lacking, find_cpp, find_java
from judge.grading.toolchains.store import digest_of, prepared


def fake_jdk(home: Path, version: str, *, javac: bool = True) -> Path:
    (home / "bin").mkdir(parents=True)
    (home / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\n')
    if javac:
        (home / "bin" / "javac").touch()
    return home


class TestFinding:
    @pytest.mark.parametrize("version", ["17", "17.0.15", "21.0.4", "25", "25.0.1"])
    def test_a_jdk_from_17_on_is_taken(self, tmp_path: Path, version: str) -> None:
        toolchain = find_java(fake_jdk(tmp_path / "jdk", version))
        assert isinstance(toolchain, JavaToolchain)
        assert (toolchain.version, toolchain.java) == (version, f"{tmp_path}/jdk/bin/java")

    @pytest.mark.parametrize("version", ["1.8.0_392", "11.0.2", ""])
    def test_an_older_or_unknown_one_is_not(self, tmp_path: Path, version: str) -> None:
        assert isinstance(find_java(fake_jdk(tmp_path / "jdk", version)), Lacking)

    def test_a_runtime_without_compiler_is_not_enough(self, tmp_path: Path) -> None:
        lacking = find_java(fake_jdk(tmp_path / "jre", "17", javac=False))
        assert isinstance(lacking, Lacking)
        assert "no javac" in lacking.detail

    @pytest.mark.parametrize(
        ("version", "fits"),
        [("12.2.0", True), ("13.3.0", True), ("15.1.0", True), ("8.5.0", False), ("", False)],
    )
    def test_a_compiler_is_judged_by_what_it_says_of_itself(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str, fits: bool
    ) -> None:
        compiler = tmp_path / "g++"
        compiler.write_text(f"#!/bin/sh\necho '{version}'\n")
        compiler.chmod(0o755)
        monkeypatch.setattr(found, "_COMPILER", compiler)
        assert isinstance(find_cpp(), CppToolchain) == fits

    def test_what_is_not_there_is_lacking(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr(found, "_COMPILER", tmp_path / "none")
        monkeypatch.setattr(found, "_JAVA", tmp_path / "none")
        assert isinstance(find_cpp(), Lacking)
        assert isinstance(find_java(), Lacking)


class TestMissingLanguages:
    @pytest.fixture(autouse=True)
    def nothing_but_python(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(machine_module, "find_cpp", lambda: Lacking("g++ is not there"))
        monkeypatch.setattr(machine_module, "find_java", lambda _: Lacking("no javac"))

    def test_the_others_are_judged_all_the_same(self) -> None:
        machine = Machine(None, JUDGE_DATA / "cache")
        machine.start()
        try:
            assert list(machine.engines) == ["python"]
            assert machine.missing["cpp"] == "apt-get install g++"
            assert machine.missing["java"].startswith("apt-get install ")
        finally:
            machine.stop()

    def test_one_that_was_asked_for_by_name_is_an_error_that_says_what_to_do(self) -> None:
        with pytest.raises(Misconfigured, match=r"apt-get install g\+\+"):
            Machine(("cpp",), JUDGE_DATA / "cache").start()

    def test_a_toolchain_that_does_not_work_counts_as_missing(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(*_: object) -> Path:
            raise JudgeBroken("g++ does not compile the judge's header")

        monkeypatch.setattr(machine_module, "find_cpp", lambda: CppToolchain(Path("/x"), "12"))
        monkeypatch.setattr(machine_module, "prepare_cpp", broken)
        machine = Machine(None, JUDGE_DATA / "cache")
        machine.start()
        machine.stop()
        assert "cpp" in machine.missing


class TestPreparedFolders:
    def test_a_folder_is_built_once_for_the_same_parts(self, tmp_path: Path) -> None:
        built: list[Path] = []

        def build(folder: Path) -> None:
            built.append(folder)
            (folder / "made").write_text("x")

        first = prepared(tmp_path, "cpp", ("12", "header"), build)
        assert prepared(tmp_path, "cpp", ("12", "header"), build) == first
        other = prepared(tmp_path, "cpp", ("13", "header"), build)
        assert (len(built), other == first, (first / "made").read_text()) == (2, False, "x")

    def test_a_build_that_fails_leaves_nothing(self, tmp_path: Path) -> None:
        def build(folder: Path) -> None:
            (folder / "half").write_text("x")
            raise JudgeBroken("no")

        with pytest.raises(JudgeBroken):
            prepared(tmp_path, "cpp", ("12",), build)
        assert [path.name for path in (tmp_path / "toolchains").iterdir()] == [".lock"]

    def test_old_folders_go(self, tmp_path: Path) -> None:
        folders = [prepared(tmp_path, "cpp", (str(n),), lambda _: None) for n in range(4)]
        assert sum(folder.exists() for folder in folders) == 2
        assert folders[-1].exists()

    def test_parts_do_not_run_into_each_other(self) -> None:
        assert digest_of(("ab", "c")) != digest_of(("a", "bc"))


def test_a_relative_data_folder_is_one_of_the_callers_working_folder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(JUDGE_DATA.parent)
    machine = Machine(None, Path(JUDGE_DATA.name) / "cache")
    machine.start()
    machine.stop()
    assert "python" in machine.engines
