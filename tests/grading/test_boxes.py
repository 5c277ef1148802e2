"""The pool: how many zygotes a kind has, when they are replaced, and what waits prepared."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from attack_box import outer_pid, start, zygote_pid
from processes import descendants, has_ended, settle

from judge.errors import JudgeBroken
from judge.grading import boxes as boxes_module
from judge.grading.boxes import Boxes
from judge.grading.engines.prepared_boxes import READY, PreparedBoxes
from submissions_sandbox import (
    ALL_TIERS,
    Bind,
    Profile,
    RunLimits,
    Sandbox,
    SandboxError,
    SandboxUnavailable,
    Tier,
    python_profile,
)

PROGRAM = """
import os

def preload():
    pass

def main(request):
    os.write(3, b"%d %s" % (os.getpid(), request))
"""
LIMITS = RunLimits(cpu_ms=1000)
# How long a test waits for what must happen within a second; reached only by a test that fails.
PATIENCE_S = 60.0
SINGLE, DOUBLE = "single", "double"


@pytest.fixture(params=ALL_TIERS, ids=[f"tier {tier}" for tier in ALL_TIERS])
def tier(request: pytest.FixtureRequest) -> Tier:
    found: Tier = request.param
    start(tier=found).close()  # skips where this machine does not offer it
    return found


@pytest.fixture
def boxes(tier: Tier) -> Iterator[Boxes]:
    profile = python_profile(PROGRAM)
    with Boxes({SINGLE: profile, DOUBLE: profile}, side_by_side=(DOUBLE,), tier=tier) as boxes:
        yield boxes


def zygotes(boxes: Boxes, kind: str | None = None) -> list[Sandbox]:
    """The sandboxes of a kind that run now."""
    with boxes._lock:
        return [
            place.sandbox
            for place in boxes._places
            if place.sandbox is not None and kind in (None, place.kind)
        ]


def pids(boxes: Boxes, kind: str) -> list[int]:
    return [outer_pid(sandbox) for sandbox in zygotes(boxes, kind)]


def wait_until(condition: Callable[[], bool]) -> None:
    deadline_s = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline_s, "waited in vain"
        time.sleep(0.01)


def answers(boxes: Boxes, kind: str) -> bool:
    with boxes.open(kind) as box:
        return box.run(b"asked", LIMITS).result.endswith(b" asked")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Sandbox]:
    """Every sandbox that was started."""
    seen: list[Sandbox] = []
    init = Sandbox.__init__

    def record(self: Sandbox, *arguments: Any, **options: Any) -> None:
        init(self, *arguments, **options)
        seen.append(self)

    monkeypatch.setattr(Sandbox, "__init__", record)
    return seen


def all_have_ended(sandboxes: list[Sandbox]) -> bool:
    return all(not sandbox.is_alive for sandbox in sandboxes)


class TestZygotes:
    def test_a_kind_for_two_lanes_has_two_and_any_other_has_one(self, boxes: Boxes) -> None:
        assert len(set(pids(boxes, SINGLE))) == 1
        assert len(set(pids(boxes, DOUBLE))) == 2

    def test_two_lanes_get_boxes_of_different_zygotes(self, boxes: Boxes) -> None:
        with boxes.open(DOUBLE), boxes.open(DOUBLE):
            below = [len(descendants(zygote_pid(one))) for one in zygotes(boxes, DOUBLE)]
        assert below == [1, 1]

    def test_boxes_are_spread_evenly_and_may_be_opened_from_many_threads(
        self, boxes: Boxes
    ) -> None:
        with ThreadPoolExecutor(4) as pool:
            assert all(pool.map(lambda _: answers(boxes, DOUBLE), range(20)))
        assert [one.boxes_opened for one in zygotes(boxes, DOUBLE)] == [10, 10]

    def test_all_end_with_the_pool(self, tier: Tier, started: list[Sandbox]) -> None:
        with Boxes({SINGLE: python_profile(PROGRAM)}, side_by_side=(SINGLE,), tier=tier) as pool:
            assert answers(pool, SINGLE)
        assert len(started) == 2
        assert all_have_ended(started)

    def test_what_was_restarted_starts_with_the_next_box(self, boxes: Boxes) -> None:
        before = pids(boxes, DOUBLE)
        boxes.restart()
        assert zygotes(boxes) == []
        assert answers(boxes, DOUBLE)
        assert set(pids(boxes, DOUBLE)).isdisjoint(before)


class TestDeath:
    @pytest.mark.parametrize("inner", [False, True], ids=["outer process", "pid 1 inside"])
    def test_an_idle_zygote_that_is_killed_is_replaced_before_anybody_asks(
        self, boxes: Boxes, inner: bool
    ) -> None:
        (victim,) = zygotes(boxes, SINGLE)
        before = pids(boxes, SINGLE), pids(boxes, DOUBLE)
        os.kill(zygote_pid(victim) if inner else outer_pid(victim), signal.SIGKILL)
        wait_until(lambda: pids(boxes, SINGLE) not in (before[0], []))
        (fresh,) = zygotes(boxes, SINGLE)
        assert answers(boxes, SINGLE)
        assert zygotes(boxes, SINGLE) == [fresh]
        assert pids(boxes, DOUBLE) == before[1]

    def test_the_watch_looks_several_times_a_second(self) -> None:
        assert boxes_module._LOOK_EVERY_S <= 0.5

    def test_one_that_is_killed_at_this_very_moment_costs_a_submission_nothing(
        self, boxes: Boxes, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Nobody has looked yet: opening a box finds it out."""
        monkeypatch.setattr(boxes, "_watch", lambda: None)
        (victim,) = zygotes(boxes, SINGLE)
        with boxes._lock:  # the watch that runs already sees nothing meanwhile
            os.kill(outer_pid(victim), signal.SIGKILL)
            victim._zygote.process.wait()
        assert answers(boxes, SINGLE)

    def test_one_that_cannot_be_started_again_is_a_fault_of_the_judge(
        self, boxes: Boxes, monkeypatch: pytest.MonkeyPatch, started: list[Sandbox]
    ) -> None:
        def fails(*_: object) -> None:
            raise SandboxError("broken")

        boxes.restart()
        with monkeypatch.context() as patch:
            patch.setattr(Sandbox, "open_box", fails)
            with pytest.raises(JudgeBroken, match="broken"):
                boxes.open(SINGLE)
        assert answers(boxes, SINGLE)

    def test_a_pool_that_cannot_start_leaves_no_zygote_behind(
        self, tier: Tier, started: list[Sandbox]
    ) -> None:
        broken = Profile("broken", (Bind("/no/such/folder", "/x"),), program="no python at all :")
        pool = Boxes({SINGLE: python_profile(PROGRAM), "broken": broken}, tier=tier)
        with pytest.raises(SandboxUnavailable), pool:
            pytest.fail("it started")
        assert len(started) == 1
        assert all_have_ended(started)
        assert pool._watcher is None


class TestWear:
    @pytest.fixture(autouse=True)
    def _soon(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(boxes_module, "BOXES_PER_ZYGOTE", 3)

    def test_one_that_has_opened_many_boxes_is_replaced_at_rest(self, boxes: Boxes) -> None:
        before = pids(boxes, SINGLE)
        for _ in range(2):
            answers(boxes, SINGLE)
        boxes.rest()
        assert pids(boxes, SINGLE) == before
        answers(boxes, SINGLE)
        assert pids(boxes, SINGLE) == before  # not in the middle of the work
        boxes.rest()
        assert set(pids(boxes, SINGLE)).isdisjoint(before)
        assert [one.boxes_opened for one in zygotes(boxes, SINGLE)] == [0]

    def test_but_not_while_a_box_of_it_is_open(self, boxes: Boxes) -> None:
        before = pids(boxes, SINGLE)
        for _ in range(3):
            answers(boxes, SINGLE)
        with boxes.open(SINGLE) as box:
            boxes.rest()
            assert pids(boxes, SINGLE) == before
            assert box.run(b"still", LIMITS).result.endswith(b" still")
        boxes.rest()
        assert set(pids(boxes, SINGLE)).isdisjoint(before)

    def test_only_the_worn_one_of_two_is_replaced(self, boxes: Boxes) -> None:
        for _ in range(5):
            answers(boxes, DOUBLE)
        before = pids(boxes, DOUBLE)
        boxes.rest()
        assert len(set(before) & set(pids(boxes, DOUBLE))) == 1


class TestPreparedBoxes:
    @pytest.fixture
    def prepared(self, boxes: Boxes) -> Iterator[PreparedBoxes]:
        prepared = PreparedBoxes(boxes, DOUBLE)
        prepared._limits = LIMITS
        yield prepared
        prepared.close()

    def waiting(self, boxes: Boxes, prepared: PreparedBoxes) -> set[int]:
        """Processes in boxes: of each that waits its init, and its first process."""
        for one in prepared._ready:
            assert one._spare is not None
            one._spare.wait_until_warm()
        return {pid for one in zygotes(boxes, DOUBLE) for pid in descendants(zygote_pid(one))}

    def test_two_are_made_ready_each_in_a_zygote_of_its_own(
        self, boxes: Boxes, prepared: PreparedBoxes
    ) -> None:
        prepared.fill()
        assert len(self.waiting(boxes, prepared)) == 2 * READY
        assert [len(descendants(zygote_pid(one))) for one in zygotes(boxes, DOUBLE)] == [2, 2]
        assert len(prepared._ready) == READY
        prepared.fill()
        assert sum(one.boxes_opened for one in zygotes(boxes, DOUBLE)) == READY

    def test_what_was_prepared_answers_first_and_the_same_box_goes_on(
        self, boxes: Boxes, prepared: PreparedBoxes
    ) -> None:
        prepared.fill()
        opened = sum(one.boxes_opened for one in zygotes(boxes, DOUBLE))
        with prepared.take(LIMITS) as box:
            results = [box.run(word, LIMITS).result.split() for word in (b"a", b"b", b"c")]
        assert [result[1] for result in results] == [b"a", b"b", b"c"]
        assert len({result[0] for result in results}) == 3  # a process of its own each
        assert sum(one.boxes_opened for one in zygotes(boxes, DOUBLE)) == opened

    def test_what_was_taken_is_made_ready_anew(self, boxes: Boxes, prepared: PreparedBoxes) -> None:
        prepared.fill()
        with prepared.take(LIMITS), prepared.take(LIMITS):
            assert prepared._ready == []
        prepared.fill()
        assert len(prepared._ready) == READY

    def test_where_none_waits_a_fresh_one_serves(self, prepared: PreparedBoxes) -> None:
        with prepared.take(LIMITS) as box:
            assert box.run(b"asked", LIMITS).result.endswith(b" asked")

    def test_other_limits_drop_them_and_are_prepared_for_next(
        self, boxes: Boxes, prepared: PreparedBoxes
    ) -> None:
        prepared.fill()
        pidfds = [os.pidfd_open(pid) for pid in self.waiting(boxes, prepared)]
        other = replace(LIMITS, memory_kb=64 * 1024)
        with prepared.take(other) as box:
            assert [has_ended(pidfd) for pidfd in pidfds] == [True] * 4
            assert box.run(b"asked", other).result.endswith(b" asked")
        for pidfd in pidfds:
            os.close(pidfd)
        prepared.fill()
        opened = sum(one.boxes_opened for one in zygotes(boxes, DOUBLE))
        with prepared.take(other):
            assert sum(one.boxes_opened for one in zygotes(boxes, DOUBLE)) == opened

    def test_one_that_died_while_it_waited_is_nobodys(
        self, boxes: Boxes, prepared: PreparedBoxes
    ) -> None:
        prepared.fill()
        for one in zygotes(boxes, DOUBLE):
            os.kill(outer_pid(one), signal.SIGKILL)
        wait_until(lambda: not any(box.is_alive for box in prepared._ready))
        with prepared.take(LIMITS) as box:
            assert box.run(b"asked", LIMITS).result.endswith(b" asked")
        prepared.fill()
        assert all(box.is_alive for box in prepared._ready)
        assert len(prepared._ready) == READY

    def test_nothing_waits_any_more_when_they_are_closed(
        self, boxes: Boxes, prepared: PreparedBoxes
    ) -> None:
        prepared.fill()
        prepared.close()
        for one in zygotes(boxes, DOUBLE):
            assert settle(zygote_pid(one), []) == []

    def test_how_long_one_has_waited_is_not_held_against_it(self, prepared: PreparedBoxes) -> None:
        prepared.fill()
        for waiting in prepared._ready:
            assert waiting._spare is not None
            waiting._spare._watch._deadline_s -= 1e6
        with prepared.take(LIMITS) as box:
            assert box.run(b"asked", LIMITS).result.endswith(b" asked")

    def test_a_box_that_cannot_be_prepared_is_closed(
        self, boxes: Boxes, prepared: PreparedBoxes, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fails(*_: object) -> None:
            raise SandboxError("broken")

        with monkeypatch.context() as patch:
            patch.setattr("submissions_sandbox.sandbox.Box.start", fails)
            with pytest.raises(SandboxError, match="broken"):
                prepared.fill()
        for one in zygotes(boxes, DOUBLE):
            assert settle(zygote_pid(one), []) == []
