"""Before an integral refutes a moment its peaks are found: narrow ones, far ones, and slow tails."""

from fractions import Fraction

import mpmath
import pytest

from establish import HockeyStick, exact
from establish.proofs_check.engine.statements import Moment, Real
from establish.proofs_check.engine.statements.quadrature import closely
from establish.spec.arithmetic import MP
from establish.spec.distributions import laplace
from establish.spec.distributions.gaussian import Gaussian

INF = mpmath.inf
SMALL = mpmath.mpf(10) ** -10

INTEGRALS = {
    "a narrow peak far away": (
        lambda x: mpmath.exp(-(((x - 1000) * 100) ** 2)),
        [-INF, INF],
        mpmath.sqrt(mpmath.pi) / 100,
    ),
    "a narrow peak beside a cut": (
        lambda x: mpmath.exp(-((x * 10**6) ** 2)),
        [0, INF],
        mpmath.sqrt(mpmath.pi) / 2 / 10**6,
    ),
    "a slow tail": (lambda x: (1 + x) ** mpmath.mpf(-1.125), [0, INF], 8),
    "a pole at an end": (lambda x: x ** mpmath.mpf(-0.5), [0, 1], 2),
    "two peaks": (lambda x: x**2 * mpmath.exp(-(x**2)), [-INF, INF], mpmath.sqrt(mpmath.pi) / 2),
}


@pytest.mark.few(1)
@pytest.mark.parametrize("name", INTEGRALS)
def test_integrals_are_found(name):
    integrand, cuts, exact = INTEGRALS[name]
    with MP.mp.workdps(40):
        value, error = closely(integrand, cuts)
    assert abs(value - exact) < SMALL * exact
    assert error < SMALL * exact


@pytest.mark.small_campaign
def test_a_tail_that_does_not_end_is_no_integral():
    with MP.mp.workdps(15):
        _, error = closely(lambda x: 1 / (1 + x), [0, INF])
    assert error > 1


@pytest.mark.small_campaign
@pytest.mark.parametrize(("closed", "refuted"), [(lambda c, m: m, False), (lambda c, m: m + 1, True)])
def test_a_true_moment_of_a_far_and_narrow_law_is_not_refuted(closed, refuted):
    narrow = Moment(
        Real("m", least=1000, most=1001),
        law=lambda c, m: laplace.Laplace(c.number(m), c.number(Fraction(1, 1000)), c),
        of=lambda c, x: x,
        closed=closed,
    )
    assert abs(narrow.integral((Fraction(1000),)) - 1000) > 1, "a fixed rule misses it"
    assert bool(narrow.search().refuted) is refuted


def narrow(c, m):
    return Gaussian(m, c.number(Fraction(1, 10**4)), c)


FAR_AND_NARROW = {
    "a total variation of nearly 1": lambda: HockeyStick(
        Real("m", least=0),
        first=narrow,
        second=lambda c, m: Gaussian(c.number(0), c.number(1), c),
        level=0,
        most=Fraction(1, 2),
        relation=">=",
        breaks=[lambda c, m: c.number(0)],
    ),
    "a moment of what is 0 elsewhere": lambda: Moment(
        Real("m", least=0),
        law=narrow,
        of=lambda c, m, x: c.maximum(c.number(0), 1 - 100 * c.absolute(x - m)),
        closed=lambda c, m: 1 - c.sqrt(2 / c.pi) / 100,
        breaks=[lambda c, m: c.number(0)],
        depends=True,
    ),
}


@pytest.mark.parametrize("name", FAR_AND_NARROW)
def test_what_is_0_but_near_the_peak_of_a_law_is_not_taken_for_0(name):
    """True at m = 1000, where an integrand is seen near the peak alone."""
    assert exact.refuted(FAR_AND_NARROW[name](), m=1000).established is None
