"""Package files: what goes in from folders and out as zips, and which names are refused."""

import os
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from package_builder import package_files, refusal

from judge.errors import PackageInvalid
from judge.packages.archives import read_archive
from judge.packages.files import (
    MAX_ENTRIES,
    MAX_FINDINGS,
    PackageFiles,
    SizeLimits,
    read_folder,
    to_zip,
)
from judge.packages.paths import collision_findings, name_findings

NAMES = st.text("abcxyz019_-.日é", min_size=1, max_size=8).filter(
    lambda name: name not in (".", "..")
)
CONTENTS = st.dictionaries(
    st.lists(NAMES, min_size=1, max_size=4).map("/".join), st.binary(max_size=200), max_size=8
)


def write_tree(root: Path, contents: dict[str, bytes]) -> Path:
    for name, content in contents.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return root


def codes(findings) -> set[str]:
    return {finding.code for finding in findings}


class TestRoundTrips:
    def test_a_folder_and_its_zip_hold_the_same_files(self, tmp_path):
        contents = {"problem.yaml": b"a", "data/sample/01.in": b"b", "statement/x.md": b""}
        files = read_folder(write_tree(tmp_path, contents))
        assert dict(files) == contents
        assert read_archive(to_zip(files)) == files

    @given(CONTENTS)
    def test_equal_files_make_equal_zips_that_read_back(self, contents):
        try:
            files = PackageFiles({"problem.yaml": b"x"} | contents)
        except PackageInvalid:
            return
        shuffled = PackageFiles(dict(reversed(list(files.items()))))
        assert to_zip(files) == to_zip(shuffled)
        assert dict(read_archive(to_zip(files))) == dict(files)

    def test_paths_come_sorted_whatever_the_order_of_the_source(self):
        files = PackageFiles({"b": b"", "a/2": b"", "a/1": b""})
        assert list(files) == ["a/1", "a/2", "b"]
        assert files.below("a") == ("a/1", "a/2")

    @pytest.mark.parametrize(
        "leftover",
        [
            ".git/config",
            "data/__pycache__/x.cpython-311.pyc",
            "margins.pyc",
            "notes.md~",
            ".problem.yaml.swp",
            "#a#",
            "__MACOSX/._problem.yaml",
            ".DS_Store",
        ],
    )
    def test_leftovers_of_tools_are_not_part_of_a_package(self, tmp_path, leftover):
        contents = {"problem.yaml": b"x", leftover: b"y"}
        assert list(read_folder(write_tree(tmp_path, contents))) == ["problem.yaml"]
        assert list(PackageFiles(contents)) == ["problem.yaml"]


class TestHostileNames:
    @pytest.mark.parametrize(
        "name",
        [
            "/etc/passwd",
            "../outside",
            "a/../../outside",
            "a//b",
            "./a",
            "a\\b",
            "C:/windows",
            "a/b\nc",
            "a/\x00b",
            "/".join("abcdefghijk"),
            "x" * 300,
            "a/nul",
            "COM1.txt",
            "ends with a dot.",
            "ends with a space ",
            "what?",
            "right\u202eleft",
            "zero\u200bwidth",
            "lone\udcff",
        ],
    )
    def test_a_name_that_leads_out_of_the_package_or_breaks_a_system_is_refused(self, name):
        assert codes(name_findings(name)) == {"unsafe-name"}
        assert codes(refusal(lambda: PackageFiles({name: b""}))) == {"unsafe-name"}

    @pytest.mark.parametrize(
        "pair",
        [
            ("Data/a", "data/b"),
            ("readme.md", "README.md"),
            ("a", "a/b"),
            ("caf\u00e9", "cafe\u0301"),
            ("stra\u00dfe", "strasse"),
        ],
    )
    def test_names_that_some_file_system_would_merge_are_refused(self, pair):
        assert codes(collision_findings(pair)) == {"name-collision"}
        assert codes(refusal(lambda: PackageFiles(dict.fromkeys(pair, b"")))) == {"name-collision"}

    def test_a_file_where_an_archive_has_a_folder_is_refused(self):
        assert codes(collision_findings(["a"], ["A"])) == {"name-collision"}

    def test_a_name_in_a_folder_that_is_not_utf8_is_refused(self, tmp_path):
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe")).write_bytes(b"x")
        assert codes(refusal(lambda: read_folder(tmp_path))) == {"unsafe-name"}

    def test_one_bad_name_is_one_finding_that_says_all(self):
        (finding,) = name_findings("/a\\b/../c:\n")
        assert finding.message.count(";") >= 3
        assert "\n" not in finding.where

    def test_every_bad_name_is_reported_up_to_a_number(self):
        findings = refusal(lambda: PackageFiles({"../a": b"", "b\\c": b"", "ok": b""}))
        assert {finding.where for finding in findings} == {"../a", "b\\c"}
        many = {f"../{number}": b"" for number in range(MAX_FINDINGS + 5)}
        findings = refusal(lambda: PackageFiles(many))
        assert len(findings) == MAX_FINDINGS + 1
        assert "5 more" in findings[-1].message


class TestHostileEntries:
    def test_a_symbolic_link_in_a_folder_is_refused_and_not_followed(self, tmp_path):
        outside = tmp_path / "outside"
        outside.mkdir()
        (outside / "secret").write_text("x")
        package = write_tree(tmp_path / "package", {"problem.yaml": b"x"})
        (package / "file").symlink_to(outside / "secret")
        (package / "folder").symlink_to(outside)
        findings = refusal(lambda: read_folder(package))
        assert [(each.code, each.where) for each in findings] == [
            ("unsafe-entry", "file"),
            ("unsafe-entry", "folder"),
        ]

    def test_a_pipe_or_socket_in_a_folder_is_refused_without_reading_it(self, tmp_path):
        os.mkfifo(tmp_path / "pipe")
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(tmp_path / "socket"))
            findings = refusal(lambda: read_folder(tmp_path))
        assert [finding.where for finding in findings] == ["pipe", "socket"]

    def test_a_missing_folder_is_a_finding(self, tmp_path):
        assert codes(refusal(lambda: read_folder(tmp_path / "none"))) == {"no-package"}


class TestSizes:
    def test_too_many_files(self, tmp_path):
        contents = {f"f{number}": b"" for number in range(4)}
        write_tree(tmp_path, contents)
        assert len(read_folder(tmp_path, SizeLimits(entries=4))) == 4
        findings = refusal(lambda: read_folder(tmp_path, SizeLimits(entries=3)))
        assert codes(findings) == {"package-too-large"}
        most = {f"f{number}": b"" for number in range(MAX_ENTRIES + 1)}
        assert codes(refusal(lambda: PackageFiles(most))) == {"package-too-large"}

    def test_too_many_bytes(self, tmp_path):
        write_tree(tmp_path, {"a": b"x" * 600, "b": b"x" * 600})
        assert len(read_folder(tmp_path, SizeLimits(unpacked_bytes=1200))) == 2
        findings = refusal(lambda: read_folder(tmp_path, SizeLimits(unpacked_bytes=1000)))
        assert codes(findings) == {"package-too-large"}


def test_the_builder_makes_a_package_that_survives_its_zip():
    files = package_files()
    assert read_archive(to_zip(files)) == files
