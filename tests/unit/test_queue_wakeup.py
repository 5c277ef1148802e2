"""The bell: everybody who listens hears, nobody who rings waits or fails."""

import select
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.queue.wakeup import Bell, drain


@pytest.fixture
def bell(tmp_path: Path) -> Bell:
    return Bell(tmp_path / "bell")


@pytest.fixture
def listener(bell: Bell) -> Iterator[socket.socket]:
    opened = bell.open()
    yield opened
    bell.close(opened)


def heard(listener: socket.socket) -> tuple[str, ...]:
    """What waits in the socket; a datagram that was sent is already there."""
    return drain(listener)


def test_every_listener_hears_every_message_in_order(bell: Bell, listener: socket.socket) -> None:
    second = bell.open()
    bell.ring("lane:python")
    bell.ring("submission:1")
    assert heard(listener) == ("lane:python", "submission:1")
    assert heard(second) == ("lane:python", "submission:1")
    bell.close(second)


def test_a_message_wakes_who_waits_for_the_socket(bell: Bell, listener: socket.socket) -> None:
    assert select.select([listener], [], [], 0)[0] == []
    bell.ring("lane:python")
    assert select.select([listener], [], [], 0)[0] == [listener]


def test_draining_an_empty_socket_gives_nothing_and_does_not_wait(listener: socket.socket) -> None:
    assert drain(listener) == ()


def test_ringing_before_anybody_ever_listened_is_harmless(tmp_path: Path) -> None:
    Bell(tmp_path / "never" / "made").ring("lane:python")
    assert not (tmp_path / "never").exists()


def test_a_listener_that_does_not_listen_stops_nobody(bell: Bell, listener: socket.socket) -> None:
    attentive = bell.open()
    for number in range(2000):
        bell.ring(f"submission:{number}")
        assert drain(attentive) == (f"submission:{number}",)
    assert len(drain(listener)) < 2000
    bell.close(attentive)


def test_the_socket_of_a_dead_listener_is_removed_by_the_next_ring(
    bell: Bell, tmp_path: Path, listener: socket.socket
) -> None:
    dead = bell.open()
    dead.close()
    assert len(list((tmp_path / "bell").iterdir())) == 2
    bell.ring("lane:python")
    assert len(list((tmp_path / "bell").iterdir())) == 1
    assert heard(listener) == ("lane:python",)


def test_a_closed_listener_leaves_nothing_behind(bell: Bell, tmp_path: Path) -> None:
    listener = bell.open()
    bell.close(listener)
    bell.close(listener)
    assert list((tmp_path / "bell").iterdir()) == []


def test_the_bell_works_below_a_path_longer_than_a_socket_address(tmp_path: Path) -> None:
    deep = Bell(tmp_path / ("long " * 20) / ("deep-" * 20) / "bell")
    listener = deep.open()
    deep.ring("lane:python")
    assert drain(listener) == ("lane:python",)
    deep.close(listener)


def test_strange_files_in_the_folder_disturb_nobody(
    bell: Bell, tmp_path: Path, listener: socket.socket
) -> None:
    (tmp_path / "bell" / "note.txt").write_text("left by an editor")
    bell.ring("lane:python")
    assert heard(listener) == ("lane:python",)
    assert (tmp_path / "bell" / "note.txt").exists()


def test_a_folder_that_cannot_be_made_is_told_to_the_listener_only(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    bell = Bell(tmp_path / "file" / "bell")
    bell.ring("lane:python")
    with pytest.raises(OSError, match="Not a directory"):
        bell.open()
