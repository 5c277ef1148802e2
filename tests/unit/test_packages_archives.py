"""Archives of packages: every form reads the same, and every hostile one is refused."""

import bz2
import gzip
import io
import lzma
import os
import stat
import struct
import subprocess
import tarfile
import zipfile
import zlib

import pytest
from hostile_archives import (
    CONTENTS,
    FORMS,
    padded,
    pax,
    pax_record,
    spoiled_zip,
    tar_header,
    tar_info,
    tar_of,
    zip_of,
    zip_with_shared_content,
)
from package_builder import refusal

from judge.packages.archives import archive_stem, read_any, read_archive
from judge.packages.files import LIMITS, PackageFiles, SizeLimits, to_zip

LOCAL, CENTRAL, END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
TAR_END = bytes(1024)
ONE = zip_of(("ab", b"x" * 99))
DEEP_XZ = [{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": 256 * 1024 * 1024}]


def codes(blob: bytes, limits: SizeLimits = LIMITS) -> set[str]:
    """The codes with which an archive is refused."""
    return {finding.code for finding in refusal(lambda: read_archive(blob, limits))}


def unix_entry(name: str, mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = mode << 16
    return info


def changed(name: str, **fields: object) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    for field, value in fields.items():
        setattr(info, field, value)
    return info


def cp437_zip() -> bytes:
    """An old zip: the name's é in code page 437, no flag that says UTF-8."""
    return zip_of(("caf_", b"x")).replace(b"caf_", b"caf\x82")


def unicode_path(name: bytes) -> bytes:
    return struct.pack("<2HBL", 0x7075, 5 + len(name), 1, 0) + name


class TestForms:
    @pytest.mark.parametrize("form", FORMS)
    def test_every_form_reads_the_same(self, form):
        assert dict(read_archive(FORMS[form]())) == dict(sorted(CONTENTS.items()))

    def test_the_form_is_told_by_the_content(self, tmp_path):
        path = tmp_path / "package.zip"
        path.write_bytes(FORMS["tar.xz"]())
        assert read_any(path) == read_archive(FORMS["zip"]())

    def test_a_folder_and_its_archives_hold_the_same_files(self, tmp_path):
        for name, content in CONTENTS.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes(content)
        assert read_any(tmp_path) == read_archive(FORMS["zip"]())

    @pytest.mark.parametrize("compression", ["", "z", "j", "J"])
    def test_the_tar_that_everybody_writes_is_read(self, tmp_path, compression):
        for name, content in CONTENTS.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes(content)
        made = subprocess.run(  # noqa: S603 - fixed arguments
            ["tar", f"-c{compression}f", "-", "-C", str(tmp_path), "."],  # noqa: S607
            capture_output=True,
            check=True,
        )
        assert dict(read_archive(made.stdout)) == dict(sorted(CONTENTS.items()))

    def test_the_single_folder_around_an_uploaded_package_is_taken_off(self):
        wrapped = [("mine/problem.yaml", b"x"), ("mine/data/a", b"y")]
        folder = tar_info("mine", type=tarfile.DIRTYPE)
        for blob in (
            zip_of(*wrapped),
            zip_of(("mine/", b""), *wrapped),
            tar_of((folder, b""), *wrapped),
        ):
            assert list(read_archive(blob)) == ["data/a", "problem.yaml"]

    @pytest.mark.parametrize("form", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, tarfile.USTAR_FORMAT])
    def test_a_long_name_is_read_whole(self, form):
        name = "/".join(["a" * 60, "b" * 60, "c" * 60])
        assert list(read_archive(tar_of(("x", b""), (name, b""), form=form))) == [name, "x"]

    def test_names_in_other_writings_are_read_as_utf8(self):
        name = "đề/温度.md"
        assert list(read_archive(zip_of((name, b"x"), ("x", b"")))) == ["x", name]
        assert list(read_archive(tar_of((name, b"x"), ("x", b"")))) == ["x", name]
        unflagged = zip_of(("d___.md", b"x")).replace(b"d___", "d温".encode())
        assert list(read_archive(unflagged)) == ["d温.md"]

    def test_what_git_archive_writes_is_read(self):
        blob = pax(pax_record(b"comment", b"0" * 40), b"g") + tar_of(("a", b"x"))
        assert dict(read_archive(blob)) == {"a": b"x"}
        zipped = io.BytesIO()
        with zipfile.ZipFile(zipped, "w") as archive:
            archive.comment = b"0" * 40
            archive.writestr("a", b"x")
        assert dict(read_archive(zipped.getvalue())) == {"a": b"x"}

    def test_an_archive_in_an_archive_is_a_file(self):
        inner = FORMS["zip"]()
        assert dict(read_archive(zip_of(("inner.zip", inner), ("a", b"")))) == {
            "a": b"",
            "inner.zip": inner,
        }

    def test_a_streamed_zip_is_read(self):
        class Pipe(io.RawIOBase):
            """A file that nobody can go back in: sizes stand behind the contents."""

            def __init__(self) -> None:
                self.written = bytearray()

            def writable(self) -> bool:
                return True

            def write(self, data: object) -> int:
                self.written += bytes(data)
                return len(bytes(data))

        pipe = Pipe()
        with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in CONTENTS.items():
                archive.writestr(name, content)
        assert dict(read_archive(bytes(pipe.written))) == dict(sorted(CONTENTS.items()))

    @pytest.mark.parametrize(
        ("name", "stem"),
        [("a.zip", "a"), ("a.tar.gz", "a"), ("a.b.tgz", "a.b"), ("A.TAR.XZ", "A"), ("a.x", "a")],
    )
    def test_a_package_has_the_name_of_its_archive(self, name, stem):
        assert archive_stem(name) == stem


NAMES = ["/a", "../a", "a/../../b", "a\\b", "c:a", "a/./b", "a//b", "a\nb", "nul", "a.", "x" * 300]


class TestNames:
    @pytest.mark.parametrize("name", NAMES)
    def test_a_name_that_leads_out_or_breaks_a_system_is_refused(self, name):
        assert codes(zip_of((name, b"x"))) == {"unsafe-name"}
        assert codes(tar_of((name, b"x"))) == {"unsafe-name"}
        assert codes(tar_of((name, b"x"), form=tarfile.PAX_FORMAT)) == {"unsafe-name"}

    def test_so_is_that_of_a_folder(self):
        assert codes(zip_of(("../a/", b""))) == {"unsafe-name"}
        assert codes(tar_of((tar_info("/a", type=tarfile.DIRTYPE), b""))) == {"unsafe-name"}

    @pytest.mark.parametrize(
        "pair",
        [
            ("a", "a"),
            ("Data/a", "data/b"),
            ("readme.md", "README.md"),
            ("a", "a/b"),
            ("caf\u00e9", "cafe\u0301"),
            ("stra\u00dfe", "strasse"),
            ("\uff41", "a"),
        ],
    )
    @pytest.mark.filterwarnings("ignore:Duplicate name")
    def test_names_that_some_file_system_would_merge_are_refused(self, pair):
        assert codes(zip_of(*((name, b"") for name in pair))) == {"name-collision"}
        assert codes(tar_of(*((name, b"") for name in pair))) == {"name-collision"}

    def test_a_file_with_the_name_of_an_empty_folder_is_refused(self):
        assert codes(zip_of(("a/", b""), ("a", b"x"))) == {"name-collision"}

    @pytest.mark.parametrize(
        "blob",
        [
            cp437_zip(),
            ONE.replace(b"ab", b"\xff\xfe"),
            tar_header(b"a\xff") + TAR_END,
            zip_of((changed("", orig_filename=""), b"x")),
            tar_header(b"") + TAR_END,
        ],
        ids=["code page 437", "zip, not UTF-8", "tar, not UTF-8", "zip, empty", "tar, empty"],
    )
    def test_a_name_that_is_no_text_is_refused(self, blob):
        assert codes(blob) == {"unsafe-name"}

    def test_every_bad_name_is_reported_at_once(self):
        blob = zip_of(("../a", b""), ("b\\c", b""), ("ok", b""))
        findings = refusal(lambda: read_archive(blob))
        assert [finding.where for finding in findings] == ["../a", "b\\c"]


LINKS = {
    "symbolic link": tar_info("a", type=tarfile.SYMTYPE, linkname="/etc/passwd"),
    "hard link": tar_info("a", type=tarfile.LNKTYPE, linkname="problem.yaml"),
    "character device": tar_info("a", type=tarfile.CHRTYPE, devmajor=1, devminor=5),
    "block device": tar_info("a", type=tarfile.BLKTYPE),
    "pipe": tar_info("a", type=tarfile.FIFOTYPE),
    "contiguous file": tar_info("a", type=tarfile.CONTTYPE),
    "file with holes": tar_info("a", type=tarfile.GNUTYPE_SPARSE),
    "volume header": tar_info("a", type=b"V"),
    "unknown": tar_info("a", type=b"Q"),
}

ENTRIES = {
    "zip, link": zip_of((unix_entry("a", stat.S_IFLNK | 0o777), b"/etc/passwd")),
    "zip, pipe": zip_of((unix_entry("a", stat.S_IFIFO), b"")),
    "zip, device": zip_of((unix_entry("a", stat.S_IFCHR), b"")),
    "zip, file that is a folder": zip_of((unix_entry("a", stat.S_IFDIR), b"x")),
    "zip, folder that is a link": zip_of((unix_entry("a/", stat.S_IFLNK), b"")),
    "zip, folder with content": zip_of((changed("a/"), b"x")),
    "zip, encrypted": spoiled_zip(ONE, {8: b"\x01"}, CENTRAL),
    "zip, strongly encrypted": spoiled_zip(ONE, {8: b"\x41"}, CENTRAL),
    "zip, bzip2": zip_of((changed("a", compress_type=zipfile.ZIP_BZIP2), b"x")),
    "zip, lzma": zip_of((changed("a", compress_type=zipfile.ZIP_LZMA), b"x")),
    "zip, second name": zip_of((changed("a", extra=unicode_path(b"../b")), b"x")),
    "tar, pax size": pax(pax_record(b"size", b"99999999999")) + tar_of(("a", b"x")),
    "tar, pax sparse": pax(pax_record(b"GNU.sparse.major", b"1")) + tar_of(("a", b"x")),
    "tar, path for all": pax(pax_record(b"path", b"b"), b"g") + tar_of(("a", b"x")),
    "tar, two names": tar_header(b"L", b"00000000002", b"L")
    + padded(b"b\0")
    + pax(pax_record(b"path", b"c"))
    + tar_of(("a", b"x")),
    "tar, folder with content": tar_header(b"a", b"00000000001", b"5") + padded(b"x") + TAR_END,
} | {f"tar, {kind}": tar_of((info, b"")) for kind, info in LINKS.items()}


class TestEntries:
    @pytest.mark.parametrize("kind", ENTRIES)
    def test_an_entry_that_is_no_plain_file_is_refused(self, kind):
        assert codes(ENTRIES[kind]) == {"unsafe-entry"}

    def test_a_pax_path_is_held_to_the_rules_of_names(self):
        blob = pax(pax_record(b"path", b"../../etc/cron.d/x")) + tar_of(("innocent", b"x"))
        assert codes(blob) == {"unsafe-name"}

    def test_each_refused_entry_is_one_finding(self):
        blob = tar_of(*((tar_info(f"l{n}", type=tarfile.SYMTYPE), b"") for n in range(3)))
        findings = refusal(lambda: read_archive(blob))
        assert [finding.where for finding in findings] == ["l0", "l1", "l2"]


SMALL = SizeLimits(entries=100, packed_bytes=100_000, unpacked_bytes=100_000)
BIG = tar_of(("a", bytes(2_000_000)))


class TestSizes:
    @pytest.mark.parametrize(
        "blob",
        [
            zip_of(("a", bytes(200_000))),
            zip_of(("a", bytes(60_000)), ("b", bytes(60_000))),
            gzip.compress(BIG),
            bz2.compress(BIG),
            lzma.compress(BIG),
            tar_of(*((f"f{number}", b"") for number in range(101)))[: 101 * 512] + TAR_END,
            zip_of(*((f"f{number}", b"") for number in range(101))),
            bytes(100_001),
        ],
        ids=["zip", "zip, sum", "gzip", "bzip2", "xz", "tar entries", "zip entries", "packed"],
    )
    def test_what_is_more_than_a_package_may_be_is_refused(self, blob):
        assert codes(blob, SMALL) == {"package-too-large"}

    def test_a_million_entries_are_refused_by_their_number(self):
        packer = zlib.compressobj(1, zlib.DEFLATED, 31)
        thousand = tar_header(b"a") * 1000
        tar = b"".join(packer.compress(thousand) for _ in range(1000)) + packer.flush()
        assert codes(tar) == {"package-too-large"}
        million = struct.pack("<4s4H2LH", END, 0, 0, 0xFFFE, 0xFFFE, 0, 4, 0)
        assert codes(LOCAL + million) == {"package-too-large"}

    def test_a_bomb_of_entries_that_share_their_content_is_refused(self):
        assert len(read_archive(zip_with_shared_content(1, 1000))["a"]) == 1000
        assert codes(zip_with_shared_content(100, 1000)) == {"bad-archive"}

    @pytest.mark.parametrize("stated", [0, 10, 98, 100])
    def test_a_content_of_another_size_than_stated_is_refused(self, stated):
        blob = spoiled_zip(ONE, {24: struct.pack("<L", stated)}, CENTRAL)
        assert codes(blob) == {"bad-archive"}

    def test_a_nested_bomb_is_only_bytes(self):
        bomb = gzip.compress(bytes(10_000_000))
        files = read_archive(tar_of(("bomb.gz", bomb), ("a", b"")), SMALL)
        assert len(files["bomb.gz"]) == len(bomb)

    def test_an_archive_packed_twice_is_no_package(self):
        assert codes(gzip.compress(FORMS["tar.gz"]())) == {"bad-archive"}

    def test_an_xz_that_asks_for_very_much_memory_is_refused(self):
        assert codes(lzma.compress(FORMS["tar"](), filters=DEEP_XZ)) == {"bad-archive"}

    def test_everything_up_to_the_limits_is_read(self):
        exact = {f"f{number}": bytes(1000) for number in range(100)}
        for blob in (zip_of(*exact.items()), gzip.compress(tar_of(*exact.items()))):
            assert len(read_archive(blob, SMALL)) == 100


TAR = FORMS["tar"]()
ZIP = FORMS["zip"]()
DAMAGED = {
    "empty": b"",
    "text": b"hello",
    "rar": b"Rar!\x1a\x07\x00",
    "end mark only": END,
    "zip, cut off": ZIP[:-30],
    "zip, text in front": b"#!/bin/sh\n" + ZIP,
    "zip, entry in front": LOCAL + ZIP,
    "zip, text behind": ZIP + b"x",
    "zip, zip behind": ZIP + ZIP,
    "zip, part of several": spoiled_zip(ZIP, {4: b"\x01"}, END),
    "zip, entry of another part": spoiled_zip(ONE, {34: b"\x01"}, CENTRAL),
    "zip, fewer entries here": spoiled_zip(ZIP, {8: b"\x01\x00"}, END),
    "zip, fewer entries": spoiled_zip(ZIP, {8: b"\x01\x00\x01\x00"}, END),
    "zip, more entries": spoiled_zip(ZIP, {8: b"\x09\x00\x09\x00"}, END),
    "zip64": spoiled_zip(ZIP, {16: b"\xff\xff\xff\xff"}, END),
    "zip, other checksum": spoiled_zip(ONE, {16: b"\0\0\0\0"}, CENTRAL),
    "zip, other name in front": spoiled_zip(ONE, {30: b"ba"}, LOCAL),
    "zip, entry elsewhere": spoiled_zip(ONE, {42: b"\x01"}, CENTRAL),
    "zip, entry far away": spoiled_zip(ONE, {42: b"\xff\xff\xff\x7f"}, CENTRAL),
    "zip, content into the directory": spoiled_zip(ONE, {20: b"\xff"}, CENTRAL),
    "tar, cut off in a content": TAR[:600],
    "tar, cut off in a header": TAR[:700],
    "tar, without its end": TAR[: len(CONTENTS) * 1024],
    "tar, with half an end": tar_header(b"a") + bytes(512),
    "tar, text behind": TAR + b"x",
    "tar, tar behind": TAR + TAR,
    "tar, damaged header": TAR.replace(b"problem.yaml", b"problem.yamx", 1),
    "tar, negative size": tar_header(b"a", b"-0000000001") + TAR_END,
    "tar, size in base 256": tar_header(b"a", b"\x80" + b"\xff" * 10) + TAR_END,
    "tar, size past its end": tar_header(b"a", b"77777777777") + TAR_END,
    "tar, old": tar_header(b"a").replace(b"ustar\x0000", bytes(8)) + TAR_END,
    "tar, huge pax": tar_header(b"p", b"%011o" % 99_999, b"x") + bytes(200_000) + TAR_END,
    "tar, broken pax": pax(b"99 path=x\n") + TAR,
    "tar, endless pax": pax(b"0 path=x\n") + TAR,
    "tar, many pax records": pax(pax_record(b"a", b"b") * 65) + TAR,
    "tar, pax twice": pax(pax_record(b"a", b"b")) * 2 + TAR,
    "tar, pax in front of nothing": pax(pax_record(b"path", b"b")) + TAR_END,
    "gzip of text": gzip.compress(b"hello"),
    "gzip, cut off": gzip.compress(TAR)[:-9],
    "gzip, damaged": gzip.compress(TAR)[:-8] + bytes(8),
    "gzip, two streams": gzip.compress(TAR) * 2,
    "gzip, text behind": gzip.compress(TAR) + b"x",
    "bzip2, cut off": bz2.compress(TAR)[:-9],
    "bzip2, many empty streams": bz2.compress(b"") * 1000,
    "xz, cut off": lzma.compress(TAR)[:-9],
    "xz, text behind": lzma.compress(TAR) + b"x",
    "lzma, alone": lzma.compress(TAR, lzma.FORMAT_ALONE),
}


class TestDamage:
    @pytest.mark.parametrize("kind", DAMAGED)
    def test_what_is_no_whole_archive_is_refused(self, kind):
        assert codes(DAMAGED[kind]) == {"bad-archive"}

    def test_what_is_no_package_on_this_machine_is_refused(self, tmp_path):
        os.mkfifo(tmp_path / "pipe")
        for path in (tmp_path / "pipe", tmp_path / "none", tmp_path / "a\0b"):
            (finding,) = refusal(lambda path=path: read_any(path))
            assert finding.code == "not-found"

    def test_reading_writes_nothing(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        read_archive(ZIP)
        for blob in (*ENTRIES.values(), *DAMAGED.values()):
            codes(blob)
        assert list(tmp_path.iterdir()) == []


def test_the_canonical_zip_is_read_back():
    files = PackageFiles(CONTENTS)
    assert read_archive(to_zip(files)) == files
