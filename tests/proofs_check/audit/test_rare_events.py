"""Events that occur once in ten thousand outputs, and tails that differ beyond what was seen."""

import numpy as np
import pytest

from establish.proofs_check.audit import audit, custom
from establish.proofs_check.audit.black.tails import far_events
from establish.proofs_check.audit.question.level import Approximate

SHARE = 1e-4


class Sampled:
    def __init__(self, draw):
        self.sample = draw


def sentinel(n, size, rng):
    drawn = n + rng.laplace(size=size)
    return np.where(rng.random(size) < SHARE, -999.0, drawn) if n else drawn


def repeated(n, size, rng):
    return np.where(rng.random(size) < SHARE, n + 0.37, n + rng.laplace(size=size))


# The exact binomial test needs about 700,000 outputs of each dataset at ε = 1; three times as many for
# both are 4,200,000. The seeds are fixed; at others about one audit in ten misses.
@pytest.mark.parametrize(("draw", "event"), [(sentinel, "-999"), (repeated, ".37")])
def test_a_value_that_occurs_once_in_ten_thousand_outputs_is_found_on_its_pair(draw, event):
    result = audit(Sampled(draw), custom([(0, 1)], 1), samples=4_200_000, seed=1)
    assert result.violated
    assert event in result.event
    assert result.samples <= 4_200_000


def test_two_tails_of_different_rates_are_told_apart():
    # Laplace noise of scale 1 against 4/5: the ratio passes e at x = 4 + 4·ln(5/4) ≈ 4.9, where the
    # likelier law has probability 0.004 on either side.
    def draw(n, size, rng):
        return rng.laplace(0.0, 0.8 if n else 1.0, size)

    result = audit(Sampled(draw), custom([(0, 1)], 1), samples=10_000_000, seed=1)
    assert result.violated


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
