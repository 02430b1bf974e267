"""Admissibility, seen true and seen false, against integrals and against the paper's examples."""

from fractions import Fraction
from math import exp, log

import pytest
from scipy import integrate

from establish.spec.admissible import heavy_tailed_is_admissible, laplace_is_admissible
from establish.spec.arithmetic import MP
from establish.spec.distributions import laplace
from establish.spec.parameters import ParameterError


@pytest.mark.parametrize(("stretch", "epsilon"), [(0.3, 1.0), (0.6676, 2.0), (1.5, 0.5), (log(2), log(8))])
def test_the_excess_of_a_dilation_is_the_integral_of_what_exceeds(stretch, epsilon):
    # P(Z in S) - e^eps P(Z in e^lam S) is largest where h(z) > e^eps e^lam h(e^lam z), on both sides
    def over(z):
        return max(exp(-z) - exp(epsilon + stretch - exp(stretch) * z), 0.0)

    end = (epsilon + stretch) / (exp(stretch) - 1)
    integral, error = integrate.quad(over, 0, 60, points=[end], limit=200)
    closed = laplace.dilation_excess(MP.number(Fraction(stretch)), MP.number(Fraction(epsilon)), MP)
    assert float(closed) == pytest.approx(integral, abs=10 * error + 1e-12)


def test_the_constants_of_lemma_8_6_are_admissible_and_larger_slides_or_dilations_are_not():
    # exact constants at gamma = 4: 3^(3/4) = 2.27950... for a slide, 3 for a dilation
    assert heavy_tailed_is_admissible("1/5", "1/5", 1, 1)
    assert heavy_tailed_is_admissible("0.4386", "1/3", 1, 1)
    assert not heavy_tailed_is_admissible("0.4387", "1/3", 1, 1)
    assert not heavy_tailed_is_admissible("1/5", "0.3334", 1, 1)


def test_lemma_9_1_fails_at_the_papers_own_epsilon_and_delta():
    # epsilon = 4, delta = .05: b = 4/(2 ln 20) = 0.66764; the lemma says it is admissible
    assert not laplace_is_admissible(2, "0.66764", 2, 2, "1/20")
    assert laplace_is_admissible(2, "0.6", 2, 2, "1/20")
    assert not laplace_is_admissible("2.001", "0.6", 2, 2, "1/20"), "a slide costs its length"


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: heavy_tailed_is_admissible(1, 1, 1, 1, 1), "gamma"),
        (lambda: heavy_tailed_is_admissible(0, 1, 1, 1), "a = 0"),
        (lambda: laplace_is_admissible(1, 3, 2, 2, "1/20"), "b = 3"),
        (lambda: laplace_is_admissible(1, 1, 2, 2, 1), "delta"),
    ],
)
def test_parameters_outside_the_domain_are_refused_by_name(call, named):
    with pytest.raises(ParameterError, match=named):
        call()
