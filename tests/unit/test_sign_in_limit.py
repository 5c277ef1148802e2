"""Failed sign-ins are counted for one handle from one address, for ten minutes."""

from contextlib import ExitStack, suppress

import pytest

from judge.api.errors import HttpProblem
from judge.api.sign_in_limit import MAX_FAILURES, MAX_KEYS, WINDOW_S, SignInLimit


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def limit(clock: Clock) -> SignInLimit:
    return SignInLimit(clock)


class WrongPassword(Exception):
    """What counts as a failure here."""


class Busy(Exception):
    """What does not."""


def try_once(
    limit: SignInLimit,
    handle: str = "ada",
    address: str = "1.2.3.4",
    error: type[Exception] | None = WrongPassword,
    *,
    forgets: bool = True,
) -> None:
    with (
        suppress(WrongPassword, Busy),
        limit.attempt(
            handle, address, lambda error: isinstance(error, WrongPassword), forgets=forgets
        ),
    ):
        if error is not None:
            raise error


def fail(limit: SignInLimit, times: int, handle: str = "ada", address: str = "1.2.3.4") -> None:
    for _ in range(times):
        try_once(limit, handle, address)


def test_ten_failures_are_allowed(limit: SignInLimit) -> None:
    fail(limit, MAX_FAILURES)
    with pytest.raises(HttpProblem) as refused:
        try_once(limit, "ADA")
    assert refused.value.status == 429
    assert refused.value.headers == {"Retry-After": str(int(WINDOW_S) + 1)}


def test_the_wait_that_is_told_is_enough(limit: SignInLimit, clock: Clock) -> None:
    fail(limit, MAX_FAILURES)
    clock.seconds = 100.5
    with pytest.raises(HttpProblem) as refused:
        try_once(limit)
    clock.seconds += int(refused.value.headers["Retry-After"])
    try_once(limit)


def test_nobody_else_is_locked_out(limit: SignInLimit) -> None:
    fail(limit, MAX_FAILURES)
    try_once(limit, "ada", "5.6.7.8")
    try_once(limit, "bob", "1.2.3.4")


def test_of_ipv6_a_household_is_one(limit: SignInLimit) -> None:
    fail(limit, MAX_FAILURES, address="2001:db8:1:2::1")
    with pytest.raises(HttpProblem):
        try_once(limit, address="2001:db8:1:2:ffff::2")
    try_once(limit, address="2001:db8:1:3::1")


def test_a_sign_in_starts_anew(limit: SignInLimit) -> None:
    fail(limit, MAX_FAILURES - 1)
    try_once(limit, error=None)
    fail(limit, MAX_FAILURES)


def test_what_is_no_failure_is_given_back_and_wipes_nothing_out(limit: SignInLimit) -> None:
    for _ in range(MAX_FAILURES + 1):
        try_once(limit, error=Busy)
    fail(limit, MAX_FAILURES - 1)
    try_once(limit, error=None, forgets=False)
    fail(limit, 1)
    with pytest.raises(HttpProblem):
        try_once(limit, error=Busy)


def test_many_attempts_at_once_are_no_way_round(limit: SignInLimit) -> None:
    begun, refused = ExitStack(), 0
    with suppress(WrongPassword), begun:
        for _ in range(3 * MAX_FAILURES):
            try:
                begun.enter_context(limit.attempt("ada", "1.2.3.4", lambda _: True))
            except HttpProblem:
                refused += 1
        raise WrongPassword
    assert refused == 2 * MAX_FAILURES


def test_memory_is_bounded(limit: SignInLimit) -> None:
    for number in range(MAX_KEYS + 5):
        try_once(limit, f"handle{number}")
    assert len(limit._failures) == MAX_KEYS
