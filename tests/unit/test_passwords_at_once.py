"""Hashing costs memory on purpose, so few hash at once and few wait for it."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from judge.actions import passwords
from judge.actions.passwords import check_password, hash_password
from judge.errors import TooMany


def test_who_is_one_too_many_is_told_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    may_end = Event()

    class Slow:
        def verify(self, _attempt: bytes, _secret_hash: str) -> bool:
            return may_end.wait(30)

    most = passwords._AT_ONCE + passwords._WAITING
    monkeypatch.setattr(passwords, "_HASHER", Slow())
    with ThreadPoolExecutor(most) as threads:
        waiting = [threads.submit(check_password, "correct horse", "hash") for _ in range(most)]
        try:
            while passwords._places._value:
                pass
            with pytest.raises(TooMany) as refused:
                check_password("correct horse", "hash")
        finally:
            may_end.set()
        assert all(one.result() for one in waiting)
    assert (refused.value.code, refused.value.seconds) == ("passwords-busy", 2)
    monkeypatch.undo()
    assert check_password("correct horse", hash_password("correct horse"))
