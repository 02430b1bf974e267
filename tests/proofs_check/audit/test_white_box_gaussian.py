"""Normal noise of one variance is settled exactly at a Gaussian level; other laws are not taken for it."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from establish.proofs_check.audit import AuditOutcome, custom, gedp
from establish.proofs_check.audit.white.loss import worst_loss
from establish.proofs_check.audit.white.made_laws import mixed, normal
from establish.proofs_check.audit.white.pair import Pair
from establish.proofs_check.audit.white.white_box import certify
from establish.spec.arithmetic import enclosing
from tests.proofs_check.audit.lawful import Lawful

HALF = Fraction(1, 2)


def number(result):
    return float(result.epsilon_lower_bound)


SQUARES = tuple(map(Fraction, (0, 1, 4, 9)))


def root(deviation):
    def law(values, c):
        return normal(c.sqrt(c.number(sum(values))), c.number(deviation), c)

    return Lawful(law)


@pytest.mark.parametrize("higher", [1, 2])
@pytest.mark.parametrize("sign", [1, -1])
def test_the_loss_of_normal_noise_is_infinite_in_the_tail_of_the_likelier_law(higher, sign):
    # ln(p/q) of N(a, 1) against N(b, 1) is (a − b)·(x − (a + b)/2).
    with enclosing(200):
        pair = Pair(*(lambda c, at=at: normal(c.number(at), c.number(1), c) for at in (higher, 3 - higher)))
        found = worst_loss(pair, signs=(sign,))
    assert found.infinite
    assert (found.sign, found.tail) == (sign, sign * (1 if higher == 2 else -1))


def test_the_loss_is_finite_in_the_direction_in_which_no_tail_grows():
    with enclosing(200):
        wide, narrow = (lambda c, at=at: normal(c.number(0), c.number(at), c) for at in (2, 1))
        found = worst_loss(Pair(wide, narrow), signs=(-1,))
        assert worst_loss(Pair(wide, narrow), signs=(1,)).infinite
    assert float(found.upper) == pytest.approx(np.log(2))  # at 0


def test_the_square_root_mechanism_is_certified_at_its_level_exactly():
    # √x moves by exactly γ = 1 between squares, so that μ = 1 is attained and not exceeded.
    result = certify(root(1), gedp(1, "sqrt", 1), SQUARES)
    assert result.outcome is AuditOutcome.CERTIFIED_IN_RANGE
    assert number(result) == pytest.approx(1)
    assert result.universe == "all neighbors with values among 0, 1, 4, 9: 3 pairs, every output"


def test_too_little_normal_noise_is_refuted_by_a_half_line():
    result = certify(root(Fraction(95, 100)), gedp(1, "sqrt", 1), SQUARES)
    assert result.outcome is AuditOutcome.VIOLATED
    assert number(result) == pytest.approx(1 / 0.95)
    (p, _), (_, q) = result.probabilities
    assert stats.norm.ppf(p) - stats.norm.ppf(q) == pytest.approx(1 / 0.95, rel=1e-9)


@pytest.mark.small_campaign
def test_normal_noise_whose_variance_moves_is_refuted():
    def law(values, c):
        return normal(c.number(sum(values)), c.number(1 + sum(values)), c)

    assert certify(Lawful(law), gedp(1, "sqrt", 1), SQUARES).outcome is AuditOutcome.VIOLATED


def test_normal_noise_with_an_atom_is_not_taken_for_normal_noise():
    def law(values, c):
        noise = normal(c.sqrt(c.number(sum(values))), c.number(1), c)
        half = c.number(Fraction(1, 2))
        return mixed(noise, ((0, Fraction(1, 2)),), half, c) if sum(values) < 1 else noise

    result = certify(Lawful(law), gedp(1, "sqrt", 1), SQUARES)
    assert result.outcome is AuditOutcome.VIOLATED
    assert result.event == "output = 0"


def test_floats_of_a_dataset_reach_the_law_exactly():
    def law(values, c):
        assert all(isinstance(value, (int, Fraction)) for value in values), values
        return normal(c.sqrt(c.number(sum(values))), c.number(1), c)

    certify(Lawful(law), gedp(1, "sqrt", 1))


TINY = (Fraction(1, 10**9), Fraction(1, 10**13), Fraction(1, 10**30))


def scaled(unit, deviation):
    """√x in this unit, with a deviation of so many units: another unit moves no probability."""

    def law(values, c):
        return normal(c.sqrt(c.number(sum(values))) * c.number(unit), c.number(unit * deviation), c)

    return Lawful(law)


@pytest.mark.few(1)
@pytest.mark.parametrize("unit", TINY)
def test_the_half_line_of_tiny_deviations_tells_the_laws_apart(unit):
    result = certify(scaled(unit, HALF), gedp(1, "sqrt", 1), pairs=[((1.0,), (4.0,))])
    assert result.violated
    # Half-way between centers that are two deviations apart.
    (p, _), (_, q) = result.probabilities
    assert p == pytest.approx(stats.norm.cdf(1), rel=1e-3)
    assert q == pytest.approx(stats.norm.cdf(-1), rel=1e-3)


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("unit", "deviation", "delta"),
    [
        pytest.param(
            *(unit, deviation, delta), marks=[pytest.mark.small_campaign] * (unit in TINY[1:] and delta > 0)
        )
        for unit in (1, *TINY)
        for deviation, delta in ((HALF, 0), (HALF, HALF / 50), (HALF / 50, 0))
    ],
)
def test_an_event_is_shown_for_the_excess_over_epsilon_however_small_the_deviation(unit, deviation, delta):
    # ln(p/q) of N(2, σ²) against N(1, σ²) is (x − 3/2)/σ², above 1 from x = 3/2 + σ² on; 1/σ is the distance.
    claim = custom([((1.0,), (4.0,))], 1, delta)
    result = certify(scaled(unit, deviation), claim)
    assert result.violated
    away = 1 / float(deviation)
    p, q = (sum(bounds) / 2 for bounds in result.probabilities)
    assert p >= 0.99 * stats.norm.sf(-away / 2 + 1 / away)
    assert p > np.exp(1) * q + float(delta)
