"""Handles under which the judge itself might speak."""

import pytest

from judge.domain.handles import is_reserved


@pytest.mark.parametrize(
    ("handle", "expected"),
    [
        ("admin", True),
        ("ADMIN", True),
        ("ad-min", True),
        ("_admin_", True),
        ("Decode_Judge", True),
        ("admin2", False),
        ("first-learner", False),
    ],
)
def test_a_reserved_handle_is_one_however_it_is_written(handle: str, expected: bool) -> None:
    assert is_reserved(handle) is expected
