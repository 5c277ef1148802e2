"""The checker distribution: right samplers pass, biased ones fail, with chances that are stated."""

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from biased_samplers import Sampler, biased, targets

from judge.domain.checkers.comparison import Comparison
from judge.domain.checkers.distribution import (
    judge_draws,
    needs_second_stage,
    null_quantile,
    pmf_flaw,
    pool,
    power,
    statistic,
)
from judge.domain.verdicts import Reason
from judge.grading.proof.power import LEAST_POWER, POWER_RUNS, least_power

DRAWS = 5000
SEED = 20_260_101
# To calibrate for 48 cells takes seconds.
SLOW = {name: [pytest.mark.slow] for name in (*targets(), *biased()) if "48" in name}
TARGETS = [pytest.param(name, marks=SLOW.get(name, ())) for name in targets()]
BIASED = [pytest.param(name, marks=SLOW.get(name, ())) for name in biased()]


@cache
def critical(target: bytes, draws: int) -> float:
    return null_quantile(np.frombuffer(target).tolist(), draws, SEED)


def rejected(sampler: Sampler, submissions: int, draws: int = DRAWS) -> int:
    """How many of so many simulated submissions are wrong by the rule of two stages."""
    random = np.random.default_rng(SEED)
    limit = critical(sampler.target.tobytes(), draws)
    tokens, target = np.arange(len(sampler.drawn)), sampler.target.tolist()

    def stage() -> Comparison:
        drawn = np.repeat(tokens, random.multinomial(draws, sampler.drawn))
        return judge_draws(target, drawn, draws, limit)

    wrong = 0
    for _ in range(submissions):
        first = stage()
        if needs_second_stage(first):
            first = stage()
        wrong += not first.passed
    return wrong


class TestFalseRejects:
    @pytest.mark.slow
    @pytest.mark.parametrize("name", TARGETS)
    def test_of_ten_thousand_right_samplers_none_is_rejected(self, name: str) -> None:
        target = targets()[name]
        assert rejected(Sampler(target, target), 10_000) == 0

    @pytest.mark.parametrize("name", TARGETS)
    def test_one_stage_rejects_as_often_as_stated(self, name: str) -> None:
        """With level 0.01 and 20,000 fresh runs: 0.0135 is five standard errors above it."""
        target = targets()[name].tolist()
        limit = null_quantile(target, 500, SEED, runs=100_000, level=0.01)
        random = np.random.default_rng(SEED + 1)
        found = [
            statistic(target, counts) > limit
            for counts in random.multinomial(500, target, size=20_000)
        ]
        assert np.mean(found) <= 0.0135


class TestPower:
    @pytest.mark.parametrize("name", BIASED)
    def test_of_a_thousand_biased_samplers_all_are_rejected(self, name: str) -> None:
        sampler = biased()[name]
        assert rejected(sampler, 1000, sampler.draws()) == 1000

    @pytest.mark.parametrize("name", BIASED)
    def test_the_power_against_each_is_what_a_proof_asks_for(self, name: str) -> None:
        sampler = biased()[name]
        limit = critical(sampler.target.tobytes(), sampler.draws())
        target, drawn = sampler.target.tolist(), sampler.drawn.tolist()
        found = least_power(target, drawn, sampler.draws(), limit)
        if found < LEAST_POWER:
            found = power(target, drawn, sampler.draws(), limit, POWER_RUNS, SEED)
        assert found >= LEAST_POWER

    def test_a_sampler_that_overdoes_rare_tokens_is_rejected(self) -> None:
        target = targets()["a rare token"]
        overdone = np.array([0.99, 0.005, 0.005, 0.0])
        assert rejected(Sampler(target, overdone), 100) == 100

    def test_a_right_sampler_has_no_power_against_it(self) -> None:
        target = targets()["a nucleus"].tolist()
        limit = critical(targets()["a nucleus"].tobytes(), DRAWS)
        assert power(target, target, DRAWS, limit, 20_000, SEED) == 0

    def test_more_draws_see_a_smaller_bias(self) -> None:
        target = [0.2] * 5
        drawn = [0.21, 0.19, 0.2, 0.2, 0.2]
        powers = [
            power(target, drawn, draws, null_quantile(target, draws, SEED, 100_000), 2000, SEED)
            for draws in (5000, 20_000, 100_000)
        ]
        assert powers[0] < 0.05 < powers[1] < 0.5 < powers[2]

    def test_both_distributions_need_the_same_tokens(self) -> None:
        with pytest.raises(ValueError, match="same number"):
            power([1.0], [0.5, 0.5], 100, 1.0, 10, 1)


class TestOneStage:
    TARGET = (0.5, 0.5, 0.0)

    @pytest.mark.parametrize("token", [2, 3, -1, 2**62, -(2**63)])
    def test_a_token_that_cannot_be_is_wrong_at_once(self, token: int) -> None:
        drawn = [0, 1] * 50
        drawn[7] = token
        compared = judge_draws(self.TARGET, drawn, 100, math.inf)
        assert (compared.passed, compared.reason) == (False, Reason.WRONG_VALUE)
        assert compared.message == f"draw 8 of 100: the token {token} has probability 0"
        assert not needs_second_stage(compared)

    def test_counts_that_are_off_ask_for_a_second_stage(self) -> None:
        compared = judge_draws(self.TARGET, [0] * 60 + [1] * 40, 100, 3.0)
        assert (compared.reason, needs_second_stage(compared)) == (Reason.OFF_TOLERANCE, True)
        assert compared.message == (
            "return value: the tokens are not distributed as expected: G = 4.0, allowed 3.0; "
            "token 0 came 60 times, about 50.0 expected"
        )

    def test_counts_that_are_near_pass(self) -> None:
        compared = judge_draws(self.TARGET, [0] * 55 + [1] * 45, 100, 3.0)
        assert compared == Comparison(passed=True)
        assert not needs_second_stage(compared)

    def test_two_tokens_for_the_same_numbers_are_wrong_at_once(self) -> None:
        repeated = np.array([[100, 4], [9, 101]])
        drawn = [0, 1] * 51
        assert judge_draws(self.TARGET, drawn, 102, 3.0, repeated) == Comparison(passed=True)
        drawn[101] = 0
        compared = judge_draws(self.TARGET, drawn, 102, 3.0, repeated)
        assert compared.reason is Reason.NOT_REPEATABLE
        assert compared.message == (
            "draw 102 of 102: draws 10 and 102 got the same arguments and random numbers, but "
            "gave the tokens 1 and 0: a draw may depend on nothing else"
        )
        assert not needs_second_stage(compared)

    def test_a_draw_made_again_is_not_counted(self) -> None:
        drawn = [0] * 50 + [1] * 50 + [0] * 40
        repeated = np.column_stack((np.arange(40), np.arange(100, 140)))
        assert judge_draws(self.TARGET, drawn, 140, 0.1, repeated) == Comparison(passed=True)

    @pytest.mark.parametrize("count", [0, 1, 99, 101])
    def test_fewer_or_more_draws_than_were_made_are_wrong(self, count: int) -> None:
        compared = judge_draws(self.TARGET, [0, 1, 0] * 50, 100, math.inf)
        assert not compared.passed
        compared = judge_draws(self.TARGET, ([0, 1] * 51)[:count], 100, math.inf)
        assert (compared.passed, compared.reason) == (False, Reason.WRONG_SHAPE)


class TestArithmetic:
    def test_g_is_twice_the_sum_of_counts_times_logarithms(self) -> None:
        found = statistic([0.25, 0.75], np.array([30, 70]))
        assert found == pytest.approx(2 * (30 * math.log(30 / 25) + 70 * math.log(70 / 75)))

    def test_g_is_zero_for_the_expected_counts_and_finite_for_none(self) -> None:
        assert statistic([0.5, 0.5, 0.0], np.array([50, 50, 0])) == 0
        assert statistic([0.5, 0.5], np.array([100, 0])) == pytest.approx(200 * math.log(2))

    @pytest.mark.parametrize(
        ("pmf", "draws", "cells"),
        [
            ([0.5, 0.4, 0.03, 0.03, 0.04], 100, [0.5, 0.4, 0.1]),
            ([0.5, 0.45, 0.05], 100, [0.5, 0.45, 0.05]),
            ([0.04, 0.5, 0.46, 0.0], 100, [0.5, 0.46, 0.04]),
            ([0.25] * 4, 8, [1.0]),
            ([0.0, 1.0], 100, [1.0]),
        ],
    )
    def test_likely_tokens_have_cells_of_their_own_and_the_others_one(
        self, pmf: list[float], draws: int, cells: list[float]
    ) -> None:
        assert pool(pmf, draws).probabilities.tolist() == pytest.approx(cells)

    def test_a_token_without_probability_has_no_cell(self) -> None:
        cells = pool([0.5, 0.0, 0.5], 100)
        assert cells.of_token.tolist() == [0, -1, 1]
        assert cells.counts(np.array([3, 9, 4])).tolist() == [3, 4]

    @pytest.mark.parametrize(
        ("pmf", "flaw"),
        [
            ([], "at least one"),
            ([0.5, 0.6], "sum to 1.1"),
            ([1.5, -0.5], "negative"),
            ([math.nan, 1.0], "no finite"),
            ([math.inf], "no finite"),
            ([0.1] * 10, ""),
        ],
    )
    def test_a_pmf_is_a_pmf(self, pmf: list[float], flaw: str) -> None:
        found = pmf_flaw(pmf)
        assert flaw in found
        assert bool(found) == bool(flaw)


class TestCalibration:
    def test_the_critical_value_of_many_draws_is_near_that_of_chi_square(self) -> None:
        """The 1e-3 quantile of chi-square with 1 degree of freedom is 10.83."""
        found = null_quantile([0.5, 0.5], 20_000, SEED, runs=200_000, level=1e-3)
        assert found == pytest.approx(10.83, abs=0.6)

    def test_the_same_seed_gives_the_same_value(self) -> None:
        first, again, other = (null_quantile([0.2, 0.8], 200, seed, 20_000) for seed in (1, 1, 2))
        assert first == again
        assert isinstance(other, float)

    def test_at_most_the_stated_share_of_runs_lies_above(self) -> None:
        """Simulated with the calibration's own seed: its runs themselves."""
        runs: Any = np.random.default_rng(SEED).multinomial(300, [0.3, 0.7], size=10_000)
        limit = null_quantile([0.3, 0.7], 300, SEED, runs=10_000, level=0.01)
        above = sum(statistic([0.3, 0.7], counts) > limit for counts in runs)
        assert above <= 100

    @pytest.mark.parametrize("target", [[1.0], [0.1, 0.2, 0.7], [0.3, 0.7]])
    def test_counts_as_extreme_as_the_quantile_itself_pass(self, target: list[float]) -> None:
        """Few draws give few values of G, so the quantile is one that many runs share."""
        limit = null_quantile(target, 20, SEED, runs=20_000, level=0.01)
        runs: Any = np.random.default_rng(SEED).multinomial(20, target, size=2000)
        found = np.array([statistic(target, counts) for counts in runs])
        at_the_limit = np.abs(found - limit) < 1e-6
        assert at_the_limit.any()
        assert (found[at_the_limit] <= limit).all()

    def test_too_few_runs_say_nothing(self) -> None:
        with pytest.raises(ValueError, match="too few"):
            null_quantile([0.5, 0.5], 100, 1, runs=1000)
