"""Laws that a user puts together: tuples of independent parts, rounding, shifts and mixtures."""

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest
from scipy import integrate

from establish.proofs_check.audit import audit, custom, dp
from establish.proofs_check.audit.white.composed import parts, rounded
from establish.proofs_check.audit.white.laws import Reading
from establish.proofs_check.audit.white.made_laws import finite, mixture, normal, shifted
from establish.proofs_check.audit.white.white_box import certify
from establish.spec.arithmetic import ARB, enclosing
from establish.spec.distributions.geometric import Geometric
from establish.spec.distributions.laplace import Laplace
from establish.spec.parameters import ParameterError
from tests.proofs_check.audit.lawful import Lawful

HALF = Fraction(1, 2)


def laplace(n, scale, c):
    return Laplace(c.number(n), c.number(scale), c)


def test_independent_parts_add_up_exactly():
    both = Lawful(lambda n, c: (laplace(n, 2, c), laplace(n, 2, c)))
    assert certify(both, dp(1), 5).outcome == "certified_in_range"
    fault = certify(both, dp("99/100"), 5)
    assert fault.violated
    assert "output[0]" in fault.event
    assert "output[1]" in fault.event
    (p, _), (_, q) = fault.probabilities
    assert p > math.exp(0.99) * q
    assert float(fault.epsilon_lower_bound) == pytest.approx(1)


def test_parts_of_different_kinds_and_one_that_does_not_move():
    def law(n, c):
        return (laplace(n, 2, c), Geometric(n, c.exp(-c.number(HALF)), c), laplace(0, 1, c))

    assert certify(Lawful(law), dp("1001/1000"), 5).outcome == "certified_in_range"
    assert certify(Lawful(law), dp("999/1000"), 5).violated


def test_losses_in_opposite_directions_do_not_add_up():
    # One flag is likelier under n, the other under n + 1: ln(2) − ln(2) on one side, never 2·ln 2.
    def flag(n, turned):
        share = Fraction(1, 3) if (n % 2 == 0) != turned else Fraction(2, 3)
        return finite({0: 1 - share, 1: share})

    law = Lawful(lambda n, c: (flag(n, False), finite({0: HALF, 1: HALF})))
    assert certify(law, dp("7/10"), 3).outcome == "certified_in_range"
    both = Lawful(lambda n, c: (flag(n, False), flag(n, True)))
    assert certify(both, dp("7/5"), 3).outcome == "certified_in_range"
    assert certify(both, dp("13/10"), 3).violated


def test_normal_parts_add_up_by_their_squares():
    law = Lawful(
        lambda n, c: (normal(c.number(3 * n), c.number(5), c), normal(c.number(4 * n), c.number(5), c))
    )
    assert certify(law, custom([(0, 1), (1, 2)], mu=1)).outcome == "certified"
    assert certify(law, custom([(0, 1)], mu="99/100")).violated


def test_different_numbers_of_parts_are_not_compared():
    result = certify(Lawful(lambda n, c: (laplace(n, 1, c),) * (1 + n % 2)), dp(1), 2)
    assert result.outcome == "no_violation_found"
    assert any("parts" in note for note in result.notes)


@pytest.mark.parametrize("step", [Fraction(1, 10), 1, 5])
def test_rounding_is_certified_by_the_law_before_it_and_refuted_by_what_survives(step):
    law = Lawful(lambda n, c: rounded(laplace(n, 2, c), step))
    assert certify(law, dp(HALF), 4).outcome == "certified_in_range"
    result = certify(law, dp("1/4"), 4)
    assert result.violated
    (p, _), (_, q) = result.probabilities
    assert p > math.exp(0.25) * q
    assert 0.25 < float(result.epsilon_lower_bound) <= 0.5


def test_rounding_that_hides_a_fault_is_neither_certified_nor_refuted():
    # Uniform noise of width 1/4 around n/8 rounds to 0 for n = 0 and 1, although supports differ.
    def law(n, c):
        at = c.number(Fraction(n, 8))
        width = c.number(Fraction(1, 8))
        return rounded(
            Reading(
                lambda x, k: -c.log(2 * width),
                lambda x: (x - at + width) / (2 * width),
                (at,),
                at - width,
                at + width,
            ),
            1,
        )

    assert certify(Lawful(law), custom([(0, 1)], 1)).outcome == "no_violation_found"


def test_different_rounding_is_not_compared():
    law = Lawful(lambda n, c: rounded(laplace(n, 1, c), 1 + n % 2))
    assert certify(law, dp(1), 2).outcome == "no_violation_found"


def test_a_shift_moves_every_part_of_a_law():
    base = Lawful(lambda n, c: shifted(laplace(0, 1, c), c.number(n), c))
    assert certify(base, dp(1), 4).outcome == "certified_in_range"
    assert certify(base, dp("9/10"), 4).violated
    atoms = Lawful(lambda n, c: shifted(finite({0: HALF, 1: HALF}), 0 * n, c))
    assert certify(atoms, dp(1), 2).outcome == "certified_in_range"
    with pytest.raises(ParameterError, match="atoms move by"):
        shifted(finite({0: HALF, 1: HALF}), ARB.number(HALF), ARB)


def mixed(n, c):
    return mixture([(Fraction(1, 4), laplace(n, 1, c)), (Fraction(3, 4), laplace(n + 5, 1, c))], c)


def loss_on_a_grid():
    """The largest |ln(p/q)| of `mixed` at 0 and at 1."""
    x = np.linspace(-30, 40, 1_400_001)
    density = lambda n: 0.125 * np.exp(-abs(x - n)) + 0.375 * np.exp(-abs(x - n - 5))  # noqa: E731
    return np.abs(np.log(density(0) / density(1))).max()


@pytest.mark.small_campaign  # the loss in the tails, where it is constant, takes most boxes
def test_a_mixture_has_the_loss_that_a_grid_finds():
    result = certify(Lawful(mixed), dp("1001/1000"), 1)  # the loss is 1, in both tails
    assert result.outcome == "certified_in_range"
    assert float(result.epsilon_lower_bound) == pytest.approx(loss_on_a_grid())


@pytest.mark.campaign  # the loss that the test before certifies, refuted below it
def test_a_mixture_is_refuted_one_percent_below_its_loss():
    assert certify(Lawful(mixed), dp(Fraction(loss_on_a_grid() * 0.99)), 1).violated


def test_the_distribution_function_of_a_mixture_is_the_integral_of_its_density():
    with enclosing(200):
        law = mixed(0, ARB)
        density = lambda x: float(law.log_density(ARB.number(Fraction(x)), k(x)).exp())  # noqa: E731
        k = lambda x: int(x >= 0) + int(x >= 5)  # noqa: E731
        for end in (-1.0, 2.0, 7.0):
            area = integrate.quad(density, -40, end, points=[p for p in (0, 5) if p < end])[0]
            assert float(law.cdf(ARB.number(Fraction(end)))) == pytest.approx(area, abs=1e-7)


@pytest.mark.small_campaign
def test_tails_that_fall_differently_are_unknown_and_never_certified():
    def law(n, c):
        return mixture([(HALF, laplace(n, 1, c)), (HALF, laplace(n, 2, c))], c)

    assert certify(Lawful(law), dp(5), 1).outcome == "no_violation_found"


@pytest.mark.parametrize("weights", [(HALF, HALF, HALF), (1, 0), ()])
def test_weights_that_are_no_probabilities_are_refused(weights):
    with pytest.raises(ParameterError, match="weights"):
        mixture([(weight, Laplace(0, 1, ARB)) for weight in weights], ARB)


def test_a_law_that_is_a_named_tuple_is_one_law():
    class Fields(NamedTuple):
        center: int

        def log_density(self, x):
            return laplace(self.center, 1, ARB).log_density(x)

        def cdf(self, x):
            return laplace(self.center, 1, ARB).cdf(x)

    assert parts(Fields(0)) == (Fields(0),)
    assert parts([Fields(0), Fields(1)]) == (Fields(0), Fields(1))


def test_audit_takes_a_tuple_of_laws_without_sampling():
    result = audit(Lawful(lambda n, c: (laplace(n, 4, c), laplace(n, 4, c))), dp(HALF), universe=10)
    assert result.outcome == "certified_in_range"
    assert result.samples == 0
