"""Laws as a whole, Euler's integrals and noise of any dimension: derived, left open where planted."""

from dataclasses import replace
from fractions import Fraction

import pytest
import sympy

from establish import Moment, Real, StatementError, rules, solver, symbolic
from establish.proofs_check.engine.methods import euler
from establish.proofs_check.engine.statements import AddsNormalNoise, AddUp, ConvergesInProbability
from establish.spec.distributions.gamma import Gamma, InverseGamma
from establish.spec.distributions.gaussian import Gaussian
from establish.spec.distributions.laplace import Laplace

GAMMA = AddUp(Real("α", above=0), Real("β", above=0), law=lambda c, a, b: Gamma(a, b, c))


def _transform(c, a, b, s):
    return c.power(b / (b + s), a)


def _sum_of(statement, transform=_transform):
    moment, power = rules.transforms(statement, transform)
    return rules.by_transform(statement, transform, symbolic.integrates(moment), symbolic.proves(power))


def test_gamma_variables_add_up_and_others_do_not():
    assert _sum_of(GAMMA).established is True
    assert _sum_of(replace(GAMMA, times=Fraction(11, 10))).established is None
    assert _sum_of(GAMMA, lambda c, a, b, s: c.power(b / (b + 2 * s), a)).established is None
    assert GAMMA.search().sees
    assert replace(GAMMA, law=lambda c, a, b: InverseGamma(a, b, c)).search().refuted


MEAN = ConvergesInProbability(
    Real("s", above=0),
    Real("n", above=0),
    law=lambda c, sd, n: Gaussian(c.sqrt(n), sd, c),
    of=lambda c, sd, n, x: x / c.sqrt(n),
    limit=lambda c, sd: c.number(1),
    breaks=(lambda c, sd, n: c.sqrt(n),),
)


def _limit(statement, closed, constant):
    square, falls = rules.mean_square(statement, closed, constant)
    return rules.by_chebyshev(statement, closed, constant, symbolic.integrates(square), solver.proves(falls))


@pytest.mark.small_campaign
def test_a_mean_square_that_falls_gives_convergence_and_one_that_stays_does_not():
    assert _limit(MEAN, lambda c, sd, n: sd * sd / n, lambda c, sd: sd * sd).established is True
    assert MEAN.search().sees
    moved = replace(MEAN, limit=lambda c, sd: c.number(2))
    assert moved.search().refuted
    assert _limit(moved, lambda c, sd, n: sd * sd / n, lambda c, sd: sd * sd).established is None
    assert replace(MEAN, of=lambda c, sd, n, x: x - c.sqrt(n) + 1).search().refuted
    assert _limit(MEAN, lambda c, sd, n: sd * sd / n, lambda c, sd: sd).established is None


def test_no_point_decides_a_limit():
    with pytest.raises(StatementError, match="no point"):
        MEAN.at({"s": 1, "n": 1})


def _noise(level, sd=lambda c, mu, most: most / mu):
    return AddsNormalNoise(
        Real("μ", above=0), Real("Δ", above=0), sensitivity=lambda c, mu, most: most, sd=sd, level=level
    )


def _rotated(statement):
    shift, positive, ratio = rules.along_one_line(statement)
    return rules.rotated_normals(statement, solver.proves(shift), solver.owed(positive), solver.proves(ratio))


def test_normal_noise_protects_vectors_at_its_level_and_at_no_less():
    exact = _noise(lambda c, mu, most: mu)
    assert _rotated(exact).established is True
    assert exact.search().found == ("level times 99/100",)
    less = _noise(lambda c, mu, most: mu * c.number(Fraction(99, 100)))
    assert _rotated(less).established is not True
    assert less.search().refuted
    assert less.at({"μ": 1, "Δ": 1, "x": 0, "y": 1, "t": 0}).value is False
    assert _noise(lambda c, mu, most: mu, sd=lambda c, mu, most: most / (2 * mu)).search().refuted
    with pytest.raises(StatementError, match="farther apart"):
        exact.at({"μ": 1, "Δ": 1, "x": 0, "y": 2, "t": 0})


def test_eulers_integrals_are_found_where_they_are_finite():
    t, a, r = sympy.Symbol("t", positive=True), *sympy.symbols("a r", positive=True)
    density = (a - 1) * sympy.log(t) - r * t
    assert euler.integral(density, sympy.Integer(1), t) == sympy.gamma(a) * r**-a
    assert euler.integral(density, t**-1, t) is None, "a may be below 1"
    assert euler.integral(density, sympy.sin(t), t) is None
    assert euler.integral(-density, sympy.Integer(1), t) is None


@pytest.mark.small_campaign
def test_two_breaks_are_integrated_in_order_only():
    def moment(*ends, closed):
        return Moment(
            Real("B", above=0),
            law=lambda c, b: Laplace(c.number(0), c.number(1), c),
            of=lambda c, b, x: c.absolute(x - b),
            closed=closed,
            breaks=ends,
            depends=True,
        )

    zero, far = (lambda c, b: c.number(0)), (lambda c, b: b)
    right = moment(zero, far, closed=lambda c, b: b + c.exp(-b))
    assert symbolic.integrates(right).established is True
    wrong = moment(zero, far, closed=lambda c, b: b + c.exp(-2 * b))
    assert symbolic.integrates(wrong).established is False
    with pytest.raises(TypeError, match="not in order"):
        symbolic.integrates(moment(far, zero, closed=lambda c, b: b + c.exp(-b)))
