"""The fuzzer in its bounded form: fixed seeds, and a fresh one that is told with a finding.

By hand it runs for as long as one likes: see run.py.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from fuzz_driver import Round, run_rounds
from fuzz_source import Finding, TooLong, claim, source_of, within_cpu
from fuzz_targets import IN_BOXES, OFFLINE, TARGETS, library_unchanged
from fuzz_world import Missing

FIXED_SEEDS = (1, 2)
FRESH_SEED = int.from_bytes(os.urandom(4), "little")
ROUNDS_OFFLINE, ROUNDS_IN_BOXES = 25, 4


@pytest.fixture(scope="module", autouse=True)
def _shared_files() -> Iterator[None]:
    with library_unchanged():
        yield


@pytest.mark.parametrize("seed", [*FIXED_SEEDS, pytest.param(FRESH_SEED, id="fresh")])
@pytest.mark.parametrize("name", OFFLINE)
def test_bytes_out_of_a_box_become_a_value_or_a_refusal(name: str, seed: int) -> None:
    assert run_rounds(name, TARGETS[name], seed, range(ROUNDS_OFFLINE)).rounds == ROUNDS_OFFLINE


@pytest.mark.parametrize("seed", [FIXED_SEEDS[0], pytest.param(FRESH_SEED, id="fresh")])
@pytest.mark.parametrize("name", IN_BOXES)
def test_whatever_a_program_does_is_a_fact_about_it_alone(name: str, seed: int) -> None:
    try:
        run_rounds(name, TARGETS[name], seed, range(ROUNDS_IN_BOXES))
    except Missing as error:
        if os.environ.get("CI") == "true":
            pytest.fail(str(error))
        pytest.skip(str(error))


def test_a_round_can_be_repeated() -> None:
    assert source_of(7, "name", 3).randbytes(64) == source_of(7, "name", 3).randbytes(64)
    assert source_of(7, "name", 3).randbytes(64) != source_of(7, "name", 4).randbytes(64)


@contextmanager
def broken() -> Iterator[Round]:
    """A target whose every round finds something."""
    yield lambda source, tried: claim(False, "broken")


def test_a_finding_says_how_to_repeat_it() -> None:
    with pytest.raises(Finding, match=r"--only 'filter' --seed 5 --round 2"):
        run_rounds("filter", broken, 5, [2])


def test_what_takes_too_long_is_interrupted() -> None:
    def forever() -> None:
        while True:
            pass

    with pytest.raises(TooLong), within_cpu(0.05):
        forever()
