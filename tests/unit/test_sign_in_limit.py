"""Failed sign-ins are counted for one handle from one address, for ten minutes."""

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


def fail(limit: SignInLimit, times: int, handle: str = "ada", address: str = "1.2.3.4") -> None:
    for _ in range(times):
        limit.check(handle, address)
        limit.count_failure(handle, address)


def test_ten_failures_are_allowed(limit: SignInLimit) -> None:
    fail(limit, MAX_FAILURES)
    with pytest.raises(HttpProblem) as refused:
        limit.check("ADA", "1.2.3.4")
    assert refused.value.status == 429
    assert refused.value.headers == {"Retry-After": str(int(WINDOW_S) + 1)}


def test_the_wait_that_is_told_is_enough(limit: SignInLimit, clock: Clock) -> None:
    fail(limit, MAX_FAILURES)
    clock.seconds = 100.5
    with pytest.raises(HttpProblem) as refused:
        limit.check("ada", "1.2.3.4")
    clock.seconds += int(refused.value.headers["Retry-After"])
    limit.check("ada", "1.2.3.4")


def test_nobody_else_is_locked_out(limit: SignInLimit) -> None:
    fail(limit, MAX_FAILURES)
    limit.check("ada", "5.6.7.8")
    limit.check("bob", "1.2.3.4")


def test_a_sign_in_starts_anew(limit: SignInLimit) -> None:
    fail(limit, MAX_FAILURES - 1)
    limit.forget("ada", "1.2.3.4")
    fail(limit, MAX_FAILURES)


def test_memory_is_bounded(limit: SignInLimit) -> None:
    for number in range(MAX_KEYS + 5):
        limit.count_failure(f"handle{number}", "1.2.3.4")
    assert len(limit._failures) == MAX_KEYS
