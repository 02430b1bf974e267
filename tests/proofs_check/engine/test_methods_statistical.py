"""The statistical method: planted samplers, and the probability of a false alarm."""

import math

import numpy as np
import pytest
from scipy import stats

from establish.proofs_check.engine.methods.statistical import (
    POINTS,
    distance_threshold,
    follows_discrete_law,
    follows_law,
)
from establish.proofs_check.engine.verdicts import Grade

DRAWS = 200_000
ERROR = 1e-9
"""The probability with which each true sampler below would be refuted at another seed."""

LIMIT = math.sqrt(math.log(2 / ERROR) / (2 * DRAWS))
"""0.0073, by solving 2·e^(−2nt²) = ERROR for t."""


def rng():
    return np.random.default_rng(20170514)


def heavy_tailed(z):
    """∫ (√2/π)/(1+t⁴) dt up to z, from the factors t²±√2t+1 of 1+t⁴."""
    s = math.sqrt(2)
    logs = np.log((z * z + s * z + 1) / (z * z - s * z + 1)) / (4 * math.pi)
    return 0.5 + logs + (np.arctan(s * z + 1) + np.arctan(s * z - 1)) / (2 * math.pi)


LAPLACE, NORMAL = stats.laplace.cdf, stats.norm.cdf

# Each entry: a sample, and the distribution function that it is said to have.
FALSE = {
    "a Laplace scale 5% too large": (1.05 * rng().laplace(size=DRAWS), LAPLACE),
    "a Laplace scale 5% too small": (0.95 * rng().laplace(size=DRAWS), LAPLACE),
    "a normal scale 5% too large": (1.05 * rng().normal(size=DRAWS), NORMAL),
    "a law shifted by a twentieth": (rng().laplace(size=DRAWS) + 0.05, LAPLACE),
    "a normal law for a Laplace law of the same variance": (math.sqrt(2) * rng().normal(size=DRAWS), LAPLACE),
    "a Cauchy law for the law ∝ 1/(1+z⁴)": (rng().standard_cauchy(size=DRAWS), heavy_tailed),
    "a one-sided law": (rng().exponential(size=DRAWS), LAPLACE),
    "values rounded to tenths": (np.round(rng().laplace(size=DRAWS), 1), LAPLACE),
    "values clipped at 2": (np.clip(rng().laplace(size=DRAWS), -2, 2), LAPLACE),
    "one draw repeated": (np.full(DRAWS, 0.3), LAPLACE),
    "2% of infinite values": (np.where(rng().random(DRAWS) < 0.02, np.inf, rng().normal(size=DRAWS)), NORMAL),
    "a distribution function that does not reach 1": (rng().normal(size=DRAWS), lambda x: 0.98 * NORMAL(x)),
}
TRUE = {
    "uniform": (rng().random(DRAWS), stats.uniform.cdf),
    "normal": (rng().normal(size=DRAWS), NORMAL),
    "Laplace": (rng().laplace(size=DRAWS), LAPLACE),
    "Laplace by inversion": (stats.laplace.ppf(rng().random(DRAWS)), LAPLACE),
    "Cauchy": (rng().standard_cauchy(size=DRAWS), stats.cauchy.cdf),
    "exponential": (rng().exponential(size=DRAWS), stats.expon.cdf),
    "logarithmic": (np.exp(rng().normal(size=DRAWS)), stats.lognorm(1).cdf),
    "a quotient of normals is Cauchy": (np.divide(*rng().normal(size=(2, DRAWS))), stats.cauchy.cdf),
}
UNDECIDED = {
    "a sample with NaN": (np.append(rng().normal(size=100), np.nan), NORMAL),
    "a sample of NaN": (np.full(100, np.nan), NORMAL),
    "a distribution function that is NaN": (rng().normal(size=100), lambda x: np.full(x.size, np.nan)),
    "a distribution function of an infinite value": (
        rng().normal(size=100),
        lambda x: np.full(x.size, np.inf),
    ),
}


@pytest.mark.parametrize("planted", UNDECIDED.values(), ids=UNDECIDED)
def test_nan_decides_nothing(planted):
    assert follows_law(*planted, "planted", ERROR).established is None


def test_the_threshold_solves_the_inequality_for_the_stated_error():
    assert distance_threshold(DRAWS, ERROR) == pytest.approx(LIMIT, rel=1e-12)
    for size, error in ((10, 1e-2), (1000, 1e-6), (10**6, 1e-9)):
        t = distance_threshold(size, error)
        assert 2 * math.exp(-2 * size * t * t) == pytest.approx(error, rel=1e-9)


def test_the_exact_law_of_the_distance_exceeds_the_threshold_at_most_as_often_as_stated():
    # scipy evaluates the exact distribution of sup|F_n − F| (Kolmogorov; Simard and L'Ecuyer).
    for size, error in ((1, 0.1), (10, 1e-3), (1000, 1e-9), (DRAWS, 1e-9)):
        actual = stats.kstwo.sf(distance_threshold(size, error), size)
        assert actual <= error
        if size >= 1000:
            assert actual >= error / 2, "the threshold is not needlessly wide"


@pytest.mark.parametrize("side", [1, -1])
def test_the_distance_is_the_one_that_scipy_computes(side):
    # A limit just above scipy's statistic passes the sample, one just below refutes it; the mirrored
    # sample has its largest difference on the other side of the steps.
    sample = side * rng().normal(size=500)
    statistic = stats.kstest(sample, NORMAL).statistic

    def error_of(limit):
        return 2 * math.exp(-2 * 500 * limit**2)

    assert follows_law(sample, NORMAL, "planted", error_of(1.001 * statistic)).established is True
    assert follows_law(sample, NORMAL, "planted", error_of(0.999 * statistic)).established is False


def test_a_law_closer_than_the_threshold_passes_and_the_scope_says_how_close():
    # A scale that is off by 0.1% moves the Laplace distribution function by at most 0.0002.
    evidence = follows_law(1.001 * rng().laplace(size=DRAWS), LAPLACE, "planted", ERROR)
    assert evidence.established is True
    assert f"{2 * LIMIT:.2g}" in evidence.scope


# Laws on the multiples of a step. A sample and the distribution function that it is said to have; each false
# one is farther from it than 2·LIMIT at some of the POINTS runs.


def two_sided(ratio):
    """P(K ≤ k) of mass ∝ ratio^|k|: below 0 the tail is ratio^(−k)/(1+ratio)."""
    return lambda k: ratio**-k / (1 + ratio) if k < 0 else 1 - ratio ** (k + 1) / (1 + ratio)


def rounded(cdf, step):
    """The distribution function at x of a continuous law rounded to multiples of ``step``."""
    return lambda x: float(cdf(x + step / 2))


def draws_of_two():
    first, second = rng().geometric(0.1, size=(2, DRAWS))
    return first - second


DISCRETE_TRUE = {
    "two-sided geometric": (draws_of_two(), two_sided(0.9), 1.0),
    "a die": (rng().integers(1, 7, DRAWS), lambda k: min(max(k, 0), 6) / 6, 1.0),
    "a constant": (np.full(DRAWS, 7), lambda k: float(k >= 7), 1.0),
    "Laplace rounded to halves": (
        np.rint(4 * rng().laplace(size=DRAWS)) / 2,
        rounded(lambda x: LAPLACE(x / 2), 0.5),
        0.5,
    ),
    "more values than runs": (rng().integers(0, 5000, DRAWS), lambda k: (k + 1) / 5000, 1.0),
}
DISCRETE_FALSE = {
    "another ratio": (draws_of_two(), two_sided(0.9**1.1), 1.0),
    "shifted by one": (draws_of_two() + 1, two_sided(0.9), 1.0),
    "no noise": (np.zeros(DRAWS, dtype=int), two_sided(0.9), 1.0),
    "even values only": (draws_of_two() // 2 * 2, two_sided(0.9), 1.0),
    "a loaded die": (
        np.minimum(rng().integers(1, 51, DRAWS) % 7 + 1, 6),
        lambda k: min(max(k, 0), 6) / 6,
        1.0,
    ),
    "5% too wide a scale": (
        np.rint(10 * 1.05 * rng().laplace(size=DRAWS)),
        rounded(lambda x: LAPLACE(x / 10), 1.0),
        1.0,
    ),
    "a tenth of zeros": (np.where(rng().random(DRAWS) < 0.1, 0, draws_of_two()), two_sided(0.9), 1.0),
    "nothing below 0": (abs(draws_of_two()), two_sided(0.9), 1.0),
    "two of six sides never": (rng().integers(2, 6, DRAWS), lambda k: min(max(k, 0), 6) / 6, 1.0),
}


def test_so_few_draws_that_no_law_is_rejected_show_nothing():
    few = follows_law(np.zeros(5), NORMAL, "planted", ERROR)
    assert few.established is None
    assert "so few draws" in few.witness


def follows(*planted):
    """A sample is said to have a distribution function, on multiples of a step where one is given."""
    return (follows_law if len(planted) == 2 else follows_discrete_law)(*planted, "planted", ERROR)


@pytest.mark.parametrize(
    "planted", [*FALSE.values(), *DISCRETE_FALSE.values()], ids=[*FALSE, *DISCRETE_FALSE]
)
def test_a_wrong_sampler_is_refuted_with_the_distance(planted):
    evidence = follows(*planted)
    assert evidence.established is False
    assert "exceeds" in evidence.witness


@pytest.mark.parametrize("planted", [*TRUE.values(), *DISCRETE_TRUE.values()], ids=[*TRUE, *DISCRETE_TRUE])
def test_a_true_sampler_passes_and_states_its_error(planted):
    evidence = follows(*planted)
    assert evidence.established is True
    assert evidence.grade is Grade.STATISTICAL
    assert f"{planted[0].size} draws" in evidence.scope
    assert "1e-09" in evidence.scope


def test_a_discrete_law_that_is_nan_decides_nothing():
    evidence = follows_discrete_law(draws_of_two(), lambda _: math.nan, 1.0, "planted", ERROR)
    assert evidence.established is None


def test_a_discrete_law_is_compared_at_so_many_values_at_most():
    asked = []

    def law(x):
        asked.append(x)
        return (min(max(x, -1), 4999) + 1) / 5000

    sample = rng().integers(0, 5000, DRAWS)
    assert follows_discrete_law(sample, law, 1.0, "planted", ERROR).established is True
    assert POINTS <= len(asked) <= 2 * POINTS
