"""How surely a distribution's test rejects: a bound that never says more than a simulation."""

import numpy as np
import pytest

from judge.domain.checkers.distribution import null_quantile, power
from judge.grading.proof.power import LEAST_POWER, PowerRow, least_power, weak

DRAWS, RUNS, SEED = 1000, 20_000, 20_260_101
TARGET = [0.4, 0.3, 0.2, 0.1, 0.0]
WRONG = {
    "the target itself": TARGET,
    "a little off": [0.42, 0.28, 0.2, 0.1, 0.0],
    "off by more": [0.47, 0.23, 0.2, 0.1, 0.0],
    "two changed places": [0.4, 0.3, 0.1, 0.2, 0.0],
    "one token only": [1.0, 0.0, 0.0, 0.0, 0.0],
    "sometimes impossible": [0.399, 0.3, 0.2, 0.1, 0.001],
    "never possible": [0.0, 0.0, 0.0, 0.0, 1.0],
}


@pytest.fixture(scope="module")
def critical() -> float:
    return null_quantile(TARGET, DRAWS, SEED, 100_000)


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_the_bound_is_below_what_a_simulation_shows(wrong: list[float], critical: float) -> None:
    simulated = power(TARGET, wrong, DRAWS, critical, RUNS, SEED)
    noise = 4 * np.sqrt(simulated * (1 - simulated) / RUNS) + 1e-9
    assert 0 <= least_power(TARGET, wrong, DRAWS, critical) <= simulated + noise


@pytest.mark.parametrize("name", ["two changed places", "one token only", "never possible"])
def test_it_suffices_for_what_is_plainly_wrong(name: str, critical: float) -> None:
    assert least_power(TARGET, WRONG[name], DRAWS, critical) >= LEAST_POWER


def test_a_target_of_one_token_can_be_missed_only_by_what_is_impossible(critical: float) -> None:
    assert least_power([1.0, 0.0], [1.0, 0.0], DRAWS, critical) == 0.0
    assert least_power([1.0, 0.0], [0.9, 0.1], DRAWS, critical) >= LEAST_POWER


def test_what_is_caught_by_luck_is_told_with_its_chance() -> None:
    rows = [PowerRow("a.py", "sample/01", 0.9, 100), PowerRow("b.py", "sample/01", 1.0, 100)]
    (finding,) = weak(rows)
    assert (finding.code, finding.where) == ("weak-power", "submissions/a.py")
    assert "0.90000 only (by sample/01)" in finding.message
