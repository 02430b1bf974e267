"""Events that occur once in ten thousand outputs, and tails that differ beyond what was seen."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from establish.proofs_check.audit import audit, custom
from establish.proofs_check.audit.black.confirm import Candidate, Trial, run
from establish.proofs_check.audit.black.events import Range
from establish.proofs_check.audit.black.features import coordinate
from establish.proofs_check.audit.black.samples import Samples
from establish.proofs_check.audit.black.tails import far_events
from establish.proofs_check.audit.question.level import Approximate
from establish.proofs_check.audit.question.mechanism import Mechanism
from tests.proofs_check.audit.lawful import Sampled

SHARE = 1e-4


def needed(epsilon):
    """Outputs of each dataset after which the exact binomial test at 1e-9 is expected to reject P ≤ e^ε·Q
    when the event occurs under the first law only: of k occurrences, all are the first's with probability
    (1 + e^−ε)^−k."""
    return math.log(1e9) / math.log1p(math.exp(-epsilon)) / SHARE


def noisy(n, scale, size, rng):
    return n + rng.laplace(0.0, scale, size)


def sentinel(n, scale, size, rng):
    drawn = noisy(n, scale, size, rng)
    return np.where(rng.random(size) < SHARE, -999.0, drawn) if n else drawn


def repeated(n, scale, size, rng):
    return np.where(rng.random(size) < SHARE, n + 0.37, noisy(n, scale, size, rng))


def flag(n, scale, size, rng):
    flagged = (rng.random(size) < SHARE) * bool(n)
    return np.stack([noisy(n, scale, size, rng), flagged], axis=1)


def retries(n, scale, size, rng):
    u = rng.random(size)
    tries = np.where(u < SHARE * bool(n), 3.0, np.where(u < 0.1, 2.0, 1.0))
    return np.stack([noisy(n, scale, size, rng), tries], axis=1)


SAID = {sentinel: "-999", repeated: ".37", flag: "output[1]", retries: "output[1]"}
"""What the event speaks of."""


# The noise alone costs ε, so that nothing else breaks the level. Three times the outputs of the binomial
# test show the event 97 times at ε = 0.1 and 199 times at ε = 1; a trial needs 43 and 88 of them. The seeds
# are fixed; of 80 audits at ε = 0.1 with the seeds 0 to 19, 20 of each kind, one missed (a flag), while two
# in a hundred outputs were kept for the curve. At ε = 4 one audit of each kind was run, with seed 20, no
# limit of time and nothing kept: all four were found, with 2.6 times the outputs of the binomial test for
# repeats, 2.4 for flags and retries, 1.7 for sentinels.
@pytest.mark.parametrize(
    ("draw", "epsilon", "seed"),
    [
        (sentinel, 0.1, 0),
        *(pytest.param(sentinel, 0.1, s, marks=pytest.mark.campaign) for s in (1, 2)),
        (repeated, 0.1, 3),
        pytest.param(flag, 0.1, 4, marks=pytest.mark.small_campaign),
        pytest.param(retries, 0.1, 17, marks=pytest.mark.small_campaign),
        *(
            pytest.param(draw, 1.0, seed, marks=pytest.mark.campaign)
            for draw, seed in ((sentinel, 5), (repeated, 6))
        ),
        *(
            pytest.param(draw, epsilon, seed, marks=pytest.mark.campaign)
            for draw in SAID
            for epsilon in (0.1, 1.0, 2.0)
            for seed in range(20, 25)
        ),
    ],
)
def test_what_occurs_once_in_ten_thousand_outputs_takes_three_times_the_binomial_test_at_most(
    draw, epsilon, seed
):
    allowed = int(2 * 3 * needed(epsilon))
    mechanism = Sampled(lambda n, size, rng: draw(n, 1 / epsilon, size, rng))
    result = audit(mechanism, custom([(0, 1)], Fraction(str(epsilon))), samples=allowed, seed=seed)
    assert result.violated
    assert SAID[draw] in result.event or "learned" in result.event
    assert result.samples <= allowed


def test_the_binomial_test_needs_as_many_outputs_as_is_said():
    # .3, .7, 1.6 and 11 million of each dataset.
    assert [round(needed(e) / 1e6, 1) for e in (0.1, 1, 2, 4)] == [0.3, 0.7, 1.6, 11.4]
    for epsilon in (0.1, 1.0, 2.0, 4.0):
        often = math.ceil(needed(epsilon) * SHARE)
        here = math.exp(epsilon) / (1 + math.exp(epsilon))
        assert stats.binomtest(often, often, here, alternative="greater").pvalue <= 1e-9
        assert stats.binomtest(often - 1, often - 1, here, alternative="greater").pvalue > 1e-9


def trial(low, high, shares=(0.5, 0.2), rows=0):
    event = Range(coordinate(0, 1), low, high)
    candidate = Candidate((1, 0), event, None, 0.0, shares=shares, rows=rows)
    return Trial(candidate, Approximate(Fraction(1)), 1e-9)


def test_trials_on_one_pair_share_their_outputs_and_one_that_came_later_sees_later_ones_only():
    drawn = []

    def draw(n, size, rng):
        drawn.append(size)
        return sentinel(n, 1.0, size, rng)

    # Above 1 the ratio of the densities is e everywhere, so that no trial loses hope.
    samples = Samples(Mechanism(Sampled(draw)), np.random.default_rng(1), low_bits=False)
    both, below, above = trial(1, math.inf), trial(1, 1.5), trial(1.5, math.inf)
    run([both, below, above], samples, 1000)
    assert sum(drawn) == 2 * 1000
    assert both.have == below.have == above.have == 1000
    assert both.counted == tuple(map(sum, zip(below.counted, above.counted, strict=True)))
    later = trial(1, math.inf)
    run([both, later], samples, 500)
    assert sum(drawn) == 2 * 1500
    assert (both.have, later.have) == (1500, 500)
    before = tuple(map(sum, zip(below.counted, above.counted, strict=True)))
    assert later.counted == tuple(a - b for a, b in zip(both.counted, before, strict=True))


def test_a_fluke_is_given_no_more_outputs_than_it_had_before_it_is_looked_at_again():
    lucky = trial(9.0, math.inf, shares=(2e-4, 0.0), rows=60_000)
    lucky.see((0, 24, 0, 60_000))
    assert 3 < lucky.won < 20
    assert 0 < lucky.goes_on(10**9) <= lucky.have


def test_two_tails_of_different_rates_are_told_apart():
    # Laplace noise of scale 1 against 4/5: the ratio passes e at x = 4 + 4·ln(5/4) ≈ 4.9, where the
    # likelier law has probability 0.004 on either side.
    def draw(n, size, rng):
        return rng.laplace(0.0, 0.8 if n else 1.0, size)

    assert audit(Sampled(draw), custom([(0, 1)], 1), samples=10_000_000, seed=1).violated


def test_a_tail_event_is_proposed_where_it_was_not_seen():
    rng = np.random.default_rng(4)
    first, second = rng.exponential(1.0, (50_000, 1)), rng.exponential(0.8, (50_000, 1))
    found = list(far_events(first, second, Approximate(2), tested=10**8, needed=20.0))
    assert found
    event, swapped, (p, q) = found[0]
    assert not swapped
    # P = e^(−t), Q = e^(−1.25·t): a ratio above e² needs t > 8, where 50,000 outputs show about 17.
    assert event.low > 8
    assert p == pytest.approx(np.exp(-event.low), rel=0.5)
    assert q == pytest.approx(np.exp(-1.25 * event.low), rel=0.7)


def test_equal_tails_and_atoms_propose_nothing():
    rng = np.random.default_rng(5)
    same = rng.exponential(1.0, (50_000, 1)), rng.exponential(1.0, (50_000, 1))
    assert list(far_events(*same, Approximate(1), tested=10**6, needed=20.0)) == []
    whole = rng.poisson(1.0, (50_000, 1)) * 1.0, rng.poisson(2.0, (50_000, 1)) * 1.0
    assert list(far_events(*whole, Approximate(1), tested=10**6, needed=20.0)) == []


def test_a_correct_mechanism_with_rare_flags_is_not_accused():
    def draw(n, size, rng):
        return np.where(rng.random(size) < SHARE, -999.0, n + rng.laplace(size=size))

    assert not audit(Sampled(draw), custom([(0, 1)], 1), samples=2_000_000, seed=1).violated


def of_states(many):
    """Laplace noise from a generator of so many states: as many values, other ones for another count."""

    def draw(n, size, rng):
        u = (rng.integers(0, many, size) + 0.5) / many - 0.5
        return n - np.sign(u) * np.log(1 - 2 * np.abs(u))

    return draw


def rounded_to_many_values(n, size, rng):
    """Several thousand values, the same ones for every count."""
    return np.round(n + rng.laplace(0.0, 1.0, size), 3)


def on_one_pair(draw, samples, seed):
    return audit(Sampled(draw), custom([(0, 1)], 1), samples=samples, seed=seed)


def test_values_that_come_again_on_one_dataset_only_are_an_event():
    # The first thousands of outputs show a share of the values twice or more; what no neighbor gives has
    # probability 0 there, so that a share of a hundredth takes ln(1e9)/ln(1 + 1/e)/0.01 = 6,600 outputs.
    result = on_one_pair(of_states(2**15), 200_000, 0)
    assert result.violated
    assert result.event.startswith("output in {")
    assert result.probabilities[1][0] == 0.0


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(3))
def test_values_that_come_again_on_both_datasets_are_none(seed):
    assert not on_one_pair(rounded_to_many_values, 400_000, seed).violated


def test_values_of_which_few_come_again_are_an_event_together():
    # Of 2^24 values 500,000 outputs show about 8,000 more than once, 0.05% of the law; but all that were
    # seen are 3% of it, and a neighbor gives hardly any of them.
    result = on_one_pair(of_states(2**24), 1_000_000, 0)
    assert result.violated
    assert result.event.startswith("output in {")


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(3))
def test_values_that_do_not_come_again_are_no_event(seed):
    assert not on_one_pair(of_states(2**52), 1_000_000, seed).violated
