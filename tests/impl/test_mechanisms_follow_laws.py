"""Samples against the exact laws, with a stated probability of a false alarm.

Dvoretzky, Kiefer and Wolfowitz, with Massart's constant: for n independent draws from a law with
distribution function F, P(sup |F_n − F| > t) <= 2 exp(−2 n t²). With FALSE_ALARM on the left the
critical value is t = sqrt(ln(2/FALSE_ALARM)/(2n)). The laws are written here anew.
"""

import math
from collections.abc import Callable

import mpmath
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import integrate, stats

from establish import GrowthLaplace, Laplace, LogLaplace, SmoothGamma, SmoothLaplace, SmoothLomax
from establish.impl.mechanisms import Mechanism
from establish.impl.sampling.bits import Bits

Values = NDArray[np.float64]
Law = Callable[[Values], Values]

FALSE_ALARM = 1e-9
DRAWS = 1_000_000
CRITICAL = math.sqrt(math.log(2 / FALSE_ALARM) / (2 * DRAWS))
"""0.00327. A law whose distribution function is 2·CRITICAL = 0.0065 away from the true one
somewhere is detected with probability at least 1 − FALSE_ALARM, by the same inequality."""

FAULT = 1.05
"""The planted fault: a scale off by 5%."""


def heavy_tail(z: Values) -> Values:
    """∫ (√2/π)/(1+t⁴) dt from −∞ to z, by partial fractions of 1 + t⁴ = (t²+√2t+1)(t²−√2t+1)."""
    r = math.sqrt(2)
    logs = np.log((z * z + r * z + 1) / (z * z - r * z + 1))
    return 0.5 + logs / (4 * math.pi) + (np.arctan(r * z + 1) + np.arctan(r * z - 1)) / (2 * math.pi)


def additive(center: float, scale: float, standard: Law) -> Callable[[float], Law]:
    return lambda fault: lambda x: standard((x - center) / (scale * fault))


def logarithmic(center: float, gamma: float, scale: float) -> Callable[[float], Law]:
    """(center+γ)e^η − γ with η ~ Laplace(scale): the law of η at ln((x+γ)/(center+γ))."""
    return lambda fault: (
        lambda x: stats.laplace.cdf(np.log((x + gamma) / (center + gamma)), scale=scale * fault)
    )


LN = math.log(1.1)


def power_tail(z: Values) -> Values:
    """The distribution function of the density ∝ (1 + |z|)^(−p), p = 1 + 2/ln 1.1."""
    return (1 + np.sign(z) * (1 - (1 + np.abs(z)) ** (-2 / LN))) / 2


CASES: dict[str, tuple[Mechanism, int, int | None, Callable[[float], Law]]] = {
    "laplace": (Laplace("1/2"), 40, None, additive(40, 2, stats.laplace.cdf)),
    "log-laplace published": (LogLaplace("1/10", 2, "published"), 90, None, logarithmic(90, 10, LN)),
    "log-laplace tight": (LogLaplace("1/10", 2, "tight"), 0, None, logarithmic(0, 10, LN / 2)),
    "log-laplace without mean": (LogLaplace(1, 1, "published"), 5, None, logarithmic(5, 1, 2 * math.log(2))),
    # S = max(0.1·500, 1) = 50, then 1, then with the count in place of the largest 300.
    "smooth-gamma published": (
        SmoothGamma("1/10", 2, "published"),
        3000,
        500,
        additive(3000, 50 * 5 / (2 - 5 * LN), heavy_tail),
    ),
    "smooth-gamma tight": (
        SmoothGamma("1/10", 2, "tight"),
        30,
        7,
        additive(30, 3**0.75 / (2 - 3 * LN), heavy_tail),
    ),
    "growth-laplace": (GrowthLaplace("1/10", 2), 2000, None, logarithmic(2000, 0, LN / 2)),
    "smooth-lomax": (SmoothLomax("1/10", 2), 3000, 500, additive(3000, 50 * 10.49963887, power_tail)),
    "smooth-laplace": (
        SmoothLaplace("1/10", 1, "1/100", "tight"),
        3000,
        None,
        additive(3000, 2 * 300, stats.laplace.cdf),
    ),
}
each = pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())


def distance(sample: Values, law: Law) -> float:
    """max |F_n(k) − F(k + 1/2)| over the sampled whole numbers k: F is the law before rounding."""
    values, counts = np.unique(sample, return_counts=True)
    return float(np.max(np.abs(np.cumsum(counts) / sample.size - law(values + 0.5))))


def draw(law: Mechanism, count: int, largest: int | None, seed: int = 20170514) -> Values:
    top = None if largest is None else np.full(DRAWS, largest)
    return law.release(np.full(DRAWS, count), Bits.seeded(seed), top).astype(np.float64)


@each
def test_samples_follow_the_exact_law_and_a_scale_off_by_5_percent_is_noticed(case):
    mechanism, count, largest, law = case
    sample = draw(mechanism, count, largest)
    assert distance(sample, law(1.0)) <= CRITICAL
    assert distance(sample, law(FAULT)) > CRITICAL
    assert distance(sample, law(1 / FAULT)) > CRITICAL


def test_the_planted_fault_is_large_enough_to_be_noticed_with_certainty():
    x = np.linspace(-10, 10, 200_001)
    for law in (stats.laplace.cdf, heavy_tail):
        assert np.max(np.abs(law(x) - law(x / FAULT))) > 2 * CRITICAL


def test_the_heavy_tailed_distribution_function_is_the_integral_of_its_density():
    def density(t: mpmath.mpf) -> mpmath.mpf:
        return mpmath.sqrt(2) / mpmath.pi / (1 + t**4)

    for z in (-20.0, -1.3, -0.2, 0.0, 0.7, 3.0, 50.0):
        expected = mpmath.quad(density, [-mpmath.inf, min(z, -1), z])
        assert float(heavy_tail(np.array(z))) == pytest.approx(float(expected), abs=1e-13)


def test_cells_receive_independent_noise():
    # With p = P(output > count), neighboring cells agree on that with probability p² + (1 − p)² when they
    # are independent, in m pairs: Hoeffding, 2 exp(−2 m t²).
    for mechanism, count, largest, law in CASES.values():
        above = draw(mechanism, count, largest) > count
        pairs = above[0::2] == above[1::2]
        p = 1 - float(law(1.0)(np.array(count + 0.5)))
        bound = math.sqrt(math.log(2 / FALSE_ALARM) / (2 * pairs.size))
        assert abs(pairs.mean() - (p * p + (1 - p) ** 2)) <= bound


def test_the_bias_of_log_laplace_is_the_exact_one_and_not_zero():
    # With λ = ln 1.1 the moments E e^{kη} = 1/(1 − k²λ²) exist for k <= 10. The mean of n centered,
    # independent X of variance v and fourth moment m has fourth moment (m + 3(n−1)v²)/n³, so by
    # Markov P(|mean| > t) is at most that over t⁴; t is set for a false alarm of 1e-6.
    λ, n = LN, DRAWS

    def raw(k: int) -> float:
        return 1 / (1 - (k * λ) ** 2)

    a = raw(1)
    v = raw(2) - a**2
    m = raw(4) - 4 * a * raw(3) + 6 * a**2 * raw(2) - 3 * a**4
    t = ((m + 3 * (n - 1) * v**2) / n**3 / 1e-6) ** 0.25
    assert abs(((draw(CASES["log-laplace published"][0], 90, None) + 10) / 100).mean() - a) <= t
    assert a - 1 > t


def stated(mechanism: Mechanism, key: str = "mean absolute error") -> float:
    """The constant that the sidecar states before the "·"."""
    return float(mechanism.expected_error[key].partition(" = ")[2].partition("·")[0])


def test_the_stated_expected_errors_are_the_integrals_they_stand_for():
    def error(size: Callable[[float], float], density: Callable[[float], float]) -> float:
        parts = [(-np.inf, 0), (0, np.inf)]
        return sum(integrate.quad(lambda z: size(z) * density(z), *part)[0] for part in parts)

    def laplace(z: float) -> float:
        return math.exp(-abs(z)) / 2

    def heavy(z: float) -> float:
        return math.sqrt(2) / math.pi / (1 + z**4)

    λ, c = LN, 5 / (2 - 5 * LN)
    bounded = error(lambda z: abs(math.expm1(λ * z)) if z < 700 else 0.0, laplace)
    assert stated(LogLaplace("1/10", 2, "published")) == pytest.approx(bounded, rel=1e-3)
    shift = error(lambda z: math.expm1(λ * z) if z < 700 else 0.0, laplace)
    assert stated(LogLaplace("1/10", 2, "published"), "bias") == pytest.approx(shift, rel=1e-3)
    assert stated(SmoothGamma("1/10", 2, "published")) == pytest.approx(c * error(abs, heavy), rel=1e-3)
    assert stated(SmoothLaplace("1/10", 2, "1/1000", "published")) == pytest.approx(
        error(abs, laplace), rel=1e-3
    )
    assert stated(Laplace("1/2")) == pytest.approx(2 * error(abs, laplace), rel=1e-3)


def test_the_expected_error_of_log_laplace_is_said_to_be_infinite_where_it_is():
    # λ = 2 ln 2/ε is 1 at ε = 1.386...
    assert "infinity" in LogLaplace(1, "1.386", "published").expected_error["mean absolute error"]
    assert "infinity" not in LogLaplace(1, "1.387", "published").expected_error["mean absolute error"]
