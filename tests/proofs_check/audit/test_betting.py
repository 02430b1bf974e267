"""Bets and bounds that may be looked at after every batch are wrong as rarely as they say."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from establish.proofs_check.audit.black.betting import Wager, growth, rough_growth, stakes
from establish.proofs_check.audit.black.confidence import at_any_time
from establish.proofs_check.audit.question.level import Approximate, Gaussian

PURE = Approximate(Fraction(1))
WITH_DELTA = Approximate(Fraction(1), Fraction(1, 10))
NORMAL = Gaussian(Fraction(1))

TIGHT = {
    "ε = 1 at P = 1/2": (PURE, (0.5, 0.5 / math.e)),
    "ε = 1 at a rare event": (PURE, (0.02, 0.02 / math.e)),
    "δ = 1/10": (WITH_DELTA, (0.5, 0.4 / math.e)),
    "μ = 1": (NORMAL, (float(stats.norm.cdf(0.5)), float(stats.norm.cdf(-0.5)))),
    "μ = 1 off the middle": (NORMAL, (float(stats.norm.cdf(1.5)), float(stats.norm.cdf(0.5)))),
}
"""A level, and probabilities that it just allows: P = e^ε·Q + δ, or Φ⁻¹(P) − Φ⁻¹(Q) = μ."""

SIZES = [64] + [round(64 * 1.3**k * 0.3) + 1 for k in range(15)]


def batches(rng, p, q):
    """Pairs of outcomes in batches of growing size, as a trial draws them."""
    chances = [p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q)]
    return [tuple(map(int, rng.multinomial(size, chances))) for size in SIZES]


@pytest.mark.few(2)
@pytest.mark.parametrize(("level", "probabilities"), TIGHT.values(), ids=TIGHT)
def test_a_bet_on_what_the_level_allows_wins_as_rarely_as_ville_says(level, probabilities):
    # Ville: the fortune ever reaches 20 with probability at most 0.05. Of 600 runs more than 62 do so
    # with probability below 1e-7 at that rate (binomial). The guess that the first stake rests on is
    # too hopeful on purpose.
    rng = np.random.default_rng(3)
    hopeful = (min(0.99, 1.1 * probabilities[0]), 0.8 * probabilities[1])
    won = 0
    for _ in range(600):
        wager = Wager(level, hopeful, 50.0, batches(rng, *probabilities))
        won += wager.fortune(np.array([level.bound]))[0] >= math.log(20)
    assert won <= 62
    assert stats.binom.sf(62, 600, 0.05) < 1e-7


@pytest.mark.small_campaign
def test_a_bettor_who_sees_the_batch_before_he_stakes_would_be_caught():
    # The planted fault: the stake of each batch is the best one for that batch itself.
    rng, won = np.random.default_rng(3), 0
    c, delta = map(np.array, PURE.line(1.0, (0.5, 0.2)))
    for _ in range(150):
        fortune = best = 0.0
        for seen in batches(rng, 0.5, 0.5 / math.e):
            size = sum(seen)
            p, q = (np.array((seen[0] + seen[i]) / size) for i in (1, 2))
            stake = float(stakes(p, q, c, delta))
            gains = (1 - c, 1.0, -c, 0.0)
            fortune += sum(n * math.log1p(stake * z) for n, z in zip(seen, gains, strict=True))
            best = max(best, fortune)
        won += best >= math.log(20)
    assert won > 30, "more than 30 of 150 have probability below 1e-9 at a rate of 0.05"


@pytest.mark.few(3)
@pytest.mark.parametrize(("level", "probabilities"), TIGHT.values(), ids=TIGHT)
def test_the_line_of_a_level_is_on_or_above_every_pair_that_it_allows(level, probabilities):
    for expected in ((0.5, 0.1), (0.9, 0.3), (1e-3, 1e-5), probabilities):
        c, delta = level.line(level.bound, expected)
        for q in np.linspace(1e-6, 1 - 1e-6, 400):
            p = (
                stats.norm.cdf(stats.norm.ppf(q) + level.bound)
                if level is NORMAL
                else min(1.0, math.exp(level.bound) * q + float(level.delta))
            )
            assert p <= c * q + delta + 1e-12


def test_a_bound_lies_below_the_truth_and_close_to_it_with_many_outputs():
    rng = np.random.default_rng(5)
    for level, (p, q), truth in (
        (Approximate(Fraction(1, 2)), (0.5, 0.5 / math.e), 1.0),
        (Gaussian(Fraction(1, 2)), (stats.norm.cdf(0.5), stats.norm.cdf(-0.5)), 1.0),
    ):
        chances = [p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q)]
        wager = Wager(level, (p, q), 50.0)
        for _ in range(20):
            wager.add(tuple(map(int, rng.multinomial(20_000, chances))))
        assert 0.94 * truth < wager.least(1e-9) < truth
        assert Wager(level, (p, q), 50.0, wager.batches[:1]).least(1e-9) < wager.least(1e-9)


def test_nothing_is_won_without_outputs_or_against_a_law_that_complies_by_far():
    assert Wager(PURE, (0.5, 0.1), 10.0).least(1e-9) == 0
    wager = Wager(PURE, (0.5, 0.1), 10.0, batches(np.random.default_rng(6), 0.5, 0.4))
    assert wager.least(1e-9) == 0


def test_the_growth_of_a_bet_is_that_of_the_best_stake_and_the_rough_one_is_not_larger():
    p, q = np.array([0.5, 0.9, 1e-4]), np.array([0.05, 0.2, 1e-6])
    c, delta = np.full(3, math.e), np.zeros(3)
    mean, variance = growth(p, q, c, delta)
    for at in range(3):
        tried = []
        for stake in np.linspace(0, 0.999 / math.e, 4001):
            logs = [math.log1p(stake * z) for z in (1 - math.e, 1.0, -math.e, 0.0)]
            w = [p[at] * q[at], p[at] * (1 - q[at]), (1 - p[at]) * q[at], 0.0]
            tried.append(sum(a * b for a, b in zip(w, logs, strict=True)))
        assert mean[at] == pytest.approx(max(tried), rel=1e-3)
    assert (rough_growth(p, q, c, delta) <= mean * (1 + 1e-9)).all()
    assert (variance > 0).all()


@pytest.mark.few(1)
@pytest.mark.parametrize("p", [0.5, 0.03])
def test_bounds_at_any_time_hold_at_all_times_together_as_often_as_they_say(p):
    # At an error of 0.05 more than 62 of 600 runs ever exclude p with probability below 1e-7.
    rng, wrong = np.random.default_rng(7), 0
    for _ in range(600):
        seen = np.cumsum(rng.random(2000) < p)
        looks = [10, 20, 50, 100, 200, 500, 1000, 2000]
        ends = [at_any_time(int(seen[n - 1]), n, 0.05) for n in looks]
        wrong += any(not low <= p <= high for low, high in ends)
    assert wrong <= 62


def test_bounds_at_any_time_are_wider_than_those_of_one_time_and_shrink():
    low, high = at_any_time(500, 1000, 1e-9)
    assert low < 0.5 - 6 * math.sqrt(0.25 / 1000) < 0.5 + 6 * math.sqrt(0.25 / 1000) < high
    narrow = at_any_time(50_000, 100_000, 1e-9)
    assert narrow[1] - narrow[0] < (high - low) / 8
    assert at_any_time(0, 100, 0.05)[0] == 0
    assert at_any_time(100, 100, 0.05)[1] == 1
    assert at_any_time(0, 0, 0.05) == (0.0, 1.0)
