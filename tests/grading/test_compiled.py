"""The store of compiled programs: what is kept, under which key, and what damage comes to."""

import os
from pathlib import Path

import pytest

from judge.grading import compiled
from judge.grading.compiled import CompiledStore

WORDS = "solution.cpp:1:2: error: …"


@pytest.fixture
def store(tmp_path: Path) -> CompiledStore:
    return CompiledStore(tmp_path / "compiled")


@pytest.mark.parametrize(
    "made", [b"", b"\x7fELF program", "", WORDS], ids=["empty", "program", "no words", "words"]
)
def test_what_was_put_is_found_again(store: CompiledStore, made: bytes | str) -> None:
    assert store.find("key") is None
    store.put("key", made)
    assert store.find("key") == made
    assert store.find("other") is None


def test_a_key_depends_on_every_part_and_its_place() -> None:
    keys = [("cpp", "12", "f", "x"), ("cpp", "1", "2f", "x"), ("cpp", "12", "x", "f"), ("cpp",)]
    assert len({CompiledStore.key(parts) for parts in keys}) == len(keys)


@pytest.mark.parametrize("damage", [b"", b"short", b"\x00" * 80])
def test_a_damaged_file_counts_as_not_there(
    store: CompiledStore, tmp_path: Path, damage: bytes
) -> None:
    store.put("key", b"program")
    (tmp_path / "compiled" / "key").write_bytes(damage)
    assert store.find("key") is None


def test_a_changed_byte_counts_as_not_there(store: CompiledStore, tmp_path: Path) -> None:
    store.put("key", b"program")
    path = tmp_path / "compiled" / "key"
    path.write_bytes(path.read_bytes().replace(b"program", b"prOgram"))
    assert store.find("key") is None


def test_a_folder_that_cannot_be_written_only_means_that_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    store = CompiledStore(tmp_path / "file")
    store.put("key", b"program")
    assert store.find("key") is None


def test_what_was_not_used_for_longest_goes_first(
    store: CompiledStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "_MOST_BYTES", 250)
    monkeypatch.setattr(compiled, "_PRUNE_EVERY", 1)
    monkeypatch.setattr(CompiledStore, "_prune", lambda self: None)
    for age, key in enumerate(("newest", "middle", "oldest")):
        store.put(key, bytes(60))
        os.utime(tmp_path / "compiled" / key, (1000 - age, 1000 - age))
    monkeypatch.undo()
    monkeypatch.setattr(compiled, "_MOST_BYTES", 250)
    store._prune()
    assert [store.find(key) is None for key in ("newest", "middle", "oldest")] == [
        False,
        False,
        True,
    ]
