"""What certifies a Gaussian level: no stretch of ε, and no tail, lets a smaller μ pass."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from establish.proofs_check.audit.white import far, gaussian_level
from establish.proofs_check.audit.white.divergences import Divergences
from establish.proofs_check.audit.white.made_laws import finite, normal
from establish.proofs_check.audit.white.pair import Pair
from establish.spec.arithmetic import ARB, enclosing
from tests.proofs_check.audit.test_gaussian_level import HALF, LITTLE, beside_an_atom, heavy, two_humps


def pair_of(law):
    return Pair(lambda c: law(0, c), lambda c: law(1, c))


def below(law, mu, end=Fraction(8)):
    """What the comparison on stretches of ε alone says, without a search for an event."""
    with enclosing():
        seen = Divergences(pair_of(law))
        return gaussian_level.all_below(seen, ARB.number(mu), {1: end, -1: end})


def rare(n, c):
    """1 occurs with probability 1/50 or 1/1000: little at ε = 0, much at an ε of 2."""
    share = Fraction(1, 1000) if n else Fraction(1, 50)
    return finite({0: 1 - share, 1: share})


@pytest.mark.parametrize("turned", [False, True])
def test_every_stretch_of_epsilon_is_compared_in_both_orders(turned):
    # δ(0) = 19/1000 is within μ = .05, and the event asks for more than 1.
    least = Fraction(stats.norm.ppf(0.02) - stats.norm.ppf(0.001))
    law = (lambda n, c: rare(1 - n, c)) if turned else rare
    assert least > 1
    assert 2 * stats.norm.cdf(0.025) - 1 > 0.019
    for mu in (Fraction(1, 20), HALF, least * (1 - LITTLE)):
        assert below(law, mu) is False
    assert below(law, least * (1 + LITTLE)) is True


@pytest.mark.small_campaign
@pytest.mark.parametrize(
    "share",
    [*(pytest.param(s, marks=pytest.mark.small_campaign) for s in (HALF, Fraction(9, 10))), 1 - LITTLE],
)
def test_no_stretch_of_epsilon_lets_a_smaller_mu_pass(share):
    for law, least in ((heavy, Fraction(123307, 10**5)), (two_humps, Fraction(93535, 10**5))):
        assert below(law, least * share) is False


def test_tails_settle_no_mu_below_that_of_their_normal_laws():
    with enclosing():
        laws = pair_of(beside_an_atom)
        assert far.start(laws, ARB.number(1 + LITTLE)) < 8
        for mu in (HALF, Fraction(9, 10), Fraction(1)):
            with pytest.raises(far.UnboundedError):
                far.start(laws, ARB.number(mu))


def test_beyond_the_start_the_loss_is_as_rare_as_that_of_normal_laws():
    # Pr[L > l] of the laws with the atom is 9/10 of the tail of a normal law.
    mu = 1.001
    with enclosing():
        laws = pair_of(beside_an_atom)
        start = float(far.start(laws, ARB.number(Fraction(mu))))
    for epsilon in np.linspace(start, start + 8, 40):
        delta = 0.9 * (stats.norm.cdf(0.5 - epsilon) - math.exp(epsilon) * stats.norm.cdf(-0.5 - epsilon))
        first, second = mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu
        assert delta <= stats.norm.cdf(first) - math.exp(epsilon) * stats.norm.cdf(second)


@pytest.mark.parametrize("limit", [1, 2, 8])
@pytest.mark.parametrize("mu", [Fraction(11, 10), Fraction(3, 2)])
def test_the_bound_of_a_tail_holds_and_is_attained_by_normal_laws(mu, limit):
    # Of N(0, 1) against N(1, 1) the loss is 1/2 − x, so that it exceeds l with probability Φ(1/2 − l).
    with enclosing():
        one = ARB.number(1)
        pair = Pair(lambda c: normal(c.number(0), one, c), lambda c: normal(one, one, c))
        (tail,) = [piece for piece in far.pieces(pair) if piece.side and far._grows(pair, piece)]
        share = far._share(pair, tail, Fraction(1, 1000), Fraction(limit), ARB.number(mu))
    true = stats.norm.cdf(0.5 - limit) / stats.norm.sf(limit / float(mu) - float(mu) / 2)
    assert true * (1 - 1e-9) <= float(share) <= true * 1.001
