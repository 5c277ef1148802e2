"""Package files: what goes in and out of folders and zips, and which input is refused."""

import io
import os
import socket
import stat
import struct
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from package_builder import package_files, refusal

from judge.errors import PackageInvalid
from judge.packages import files as package_files_module
from judge.packages.files import PackageFiles, read_folder, read_zip, to_zip
from judge.packages.paths import collision_findings, name_findings

NAMES = st.text("abcxyz019_-.日é", min_size=1, max_size=8).filter(
    lambda name: name not in (".", "..")
)
CONTENTS = st.dictionaries(
    st.lists(NAMES, min_size=1, max_size=4).map("/".join), st.binary(max_size=200), max_size=8
)


def zip_of(*entries: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return buffer.getvalue()


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
        assert read_zip(to_zip(files)) == files

    @given(CONTENTS)
    def test_equal_files_make_equal_zips_that_read_back(self, contents):
        try:
            files = PackageFiles({"problem.yaml": b"x"} | contents)
        except PackageInvalid:
            return
        shuffled = PackageFiles(dict(reversed(list(files.items()))))
        assert to_zip(files) == to_zip(shuffled)
        assert dict(read_zip(to_zip(files))) == dict(files)

    def test_paths_come_sorted_whatever_the_order_of_the_source(self):
        files = PackageFiles({"b": b"", "a/2": b"", "a/1": b""})
        assert list(files) == ["a/1", "a/2", "b"]
        assert files.below("a") == ("a/1", "a/2")

    def test_the_single_folder_around_an_uploaded_package_is_taken_off(self):
        files = read_zip(zip_of(("mine/problem.yaml", b"x"), ("mine/data/a", b"y")))
        assert list(files) == ["data/a", "problem.yaml"]

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
        entries = list(contents.items())
        assert list(read_folder(write_tree(tmp_path, contents))) == ["problem.yaml"]
        assert list(read_zip(zip_of(*entries))) == ["problem.yaml"]


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
        ],
    )
    def test_a_name_that_leads_out_of_the_package_or_breaks_a_system_is_refused(self, name):
        assert codes(name_findings(name)) == {"unsafe-name"}
        assert codes(refusal(lambda: PackageFiles({name: b""}))) == {"unsafe-name"}

    @pytest.mark.parametrize("name", ["/a", "../a", "a\\b", "c:a", "a/./b"])
    def test_a_zip_with_such_a_name_is_refused(self, name):
        assert codes(refusal(lambda: read_zip(zip_of((name, b"x"))))) == {"unsafe-name"}

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

    @pytest.mark.filterwarnings("ignore:Duplicate name")
    def test_a_zip_with_the_same_name_twice_is_refused(self):
        blob = zip_of(("a", b"1"), ("a", b"2"))
        assert codes(refusal(lambda: read_zip(blob))) == {"name-collision"}

    def test_a_name_that_is_not_utf8_is_refused(self, tmp_path):
        blob = zip_of(("ab", b"x")).replace(b"ab", b"\xff\xfe")
        assert codes(refusal(lambda: read_zip(blob))) == {"unsafe-name"}
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe")).write_bytes(b"x")
        assert codes(refusal(lambda: read_folder(tmp_path))) == {"unsafe-name"}

    def test_an_empty_name_is_refused(self):
        info = zipfile.ZipInfo("a")
        info.filename = info.orig_filename = ""
        assert codes(refusal(lambda: read_zip(zip_of((info, b""))))) == {"unsafe-name"}

    def test_every_bad_name_is_reported_at_once(self):
        findings = refusal(lambda: read_zip(zip_of(("../a", b""), ("b\\c", b""), ("ok", b""))))
        assert {finding.where for finding in findings} == {"../a", "b\\c"}


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

    @pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
    def test_a_link_or_device_in_a_zip_is_refused(self, kind):
        info = zipfile.ZipInfo("link")
        info.create_system = 3
        info.external_attr = (kind | 0o777) << 16
        findings = refusal(lambda: read_zip(zip_of((info, b"/etc/passwd"))))
        assert codes(findings) == {"unsafe-entry"}

    def test_a_packing_method_other_than_deflate_is_refused(self):
        info = zipfile.ZipInfo("a")
        info.compress_type = zipfile.ZIP_LZMA
        assert codes(refusal(lambda: read_zip(zip_of((info, b"x"))))) == {"unsafe-entry"}

    def test_an_encrypted_entry_is_refused(self):
        blob = bytearray(zip_of(("a", b"x")))
        for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            blob[blob.index(signature) + offset] |= 1
        assert codes(refusal(lambda: read_zip(bytes(blob)))) == {"unsafe-entry"}

    def test_a_missing_folder_is_a_finding(self, tmp_path):
        assert codes(refusal(lambda: read_folder(tmp_path / "none"))) == {"no-package"}


class TestSizes:
    def test_too_many_files(self, monkeypatch, tmp_path):
        monkeypatch.setattr(package_files_module, "MAX_ENTRIES", 3)
        contents = {f"f{number}": b"" for number in range(4)}
        for read in (
            lambda: PackageFiles(contents),
            lambda: read_zip(zip_of(*contents.items())),
            lambda: read_folder(write_tree(tmp_path, contents)),
        ):
            assert codes(refusal(read)) == {"package-too-large"}

    def test_too_many_bytes(self, monkeypatch, tmp_path):
        monkeypatch.setattr(package_files_module, "MAX_UNPACKED_BYTES", 1000)
        contents = {"a": b"x" * 600, "b": b"x" * 600}
        for read in (
            lambda: PackageFiles(contents),
            lambda: read_zip(zip_of(*contents.items())),
            lambda: read_folder(write_tree(tmp_path, contents)),
        ):
            assert codes(refusal(read)) == {"package-too-large"}

    def test_a_packed_archive_over_the_limit_is_not_opened(self, monkeypatch):
        monkeypatch.setattr(package_files_module, "MAX_PACKED_BYTES", 10)
        assert codes(refusal(lambda: read_zip(b"not even a zip"))) == {"package-too-large"}

    def test_a_directory_of_very_many_entries_is_refused_before_it_is_parsed(self):
        blob = b"PK\x01\x02" * 30_000
        assert codes(refusal(lambda: read_zip(blob))) == {"package-too-large"}

    def test_a_bomb_whose_directory_lies_about_its_size_never_grows_past_the_stated_size(self):
        blob = bytearray(zip_of(("bomb", b"\0" * 1_000_000)))
        for signature, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
            struct.pack_into("<I", blob, blob.index(signature) + offset, 10)
        assert codes(refusal(lambda: read_zip(bytes(blob)))) == {"bad-archive"}


class TestDamage:
    @pytest.mark.parametrize(
        "blob",
        [b"", b"PK\x05\x06", b"hello", zip_of(("a", b"x" * 99))[:-30]],
        ids=["empty", "end mark only", "text", "cut off"],  # a zip holds the time it was made
    )
    def test_what_is_no_zip_is_a_finding(self, blob):
        assert codes(refusal(lambda: read_zip(blob))) == {"bad-archive"}

    @given(st.data())
    def test_no_damage_to_a_zip_raises_anything_but_findings(self, data):
        blob = bytearray(to_zip(PackageFiles({"problem.yaml": b"name: x" * 9, "a/b.in": b"{}"})))
        for _ in range(data.draw(st.integers(1, 6))):
            blob[data.draw(st.integers(0, len(blob) - 1))] = data.draw(st.integers(0, 255))
        with suppress(PackageInvalid):
            read_zip(bytes(blob))


def test_the_builder_makes_a_package_that_survives_its_zip():
    files = package_files()
    assert read_zip(to_zip(files)) == files
