"""Vectorized noise of the mechanisms for counts is held against the laws of the specification."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from establish.proofs_check.engine.methods.statistical import distance_threshold
from establish.proofs_check.experiments import count_noise
from establish.spec import growth_scale
from establish.spec.arithmetic import MP
from establish.spec.distributions.staircase import Staircase
from establish.spec.mechanisms.growth_staircase import GrowthStaircaseMechanism, mean_errors
from establish.spec.mechanisms.log_laplace import LogLaplaceMechanism
from establish.spec.mechanisms.smooth_gamma import SmoothGammaMechanism
from establish.spec.mechanisms.smooth_laplace import SmoothLaplaceMechanism
from establish.spec.mechanisms.smooth_lomax import SmoothLomaxMechanism

ALPHA, EPSILON = Fraction(1, 10), Fraction(2)
DRAWS = 20_000
FALSE_ALARM = 1e-9

LAWS = {
    "log-laplace": LogLaplaceMechanism(ALPHA, EPSILON),
    "smooth-gamma": SmoothGammaMechanism(ALPHA, EPSILON),
    "smooth-laplace": SmoothLaplaceMechanism(ALPHA, EPSILON, Fraction(1, 20)),
    "smooth-lomax": SmoothLomaxMechanism(ALPHA, EPSILON),
    "growth-staircase": GrowthStaircaseMechanism(ALPHA, EPSILON),
}


@pytest.mark.parametrize("name", LAWS)
def test_draws_follow_the_law_of_spec(name):
    """At 41 points, by the inequality of Dvoretzky, Kiefer and Wolfowitz: wrong with 1e-9 each."""
    (method,) = (m for m in count_noise.methods(ALPHA, EPSILON) if m.name == name)
    sizes = (30, 12)
    counts, largest = np.full(DRAWS, 42.0), np.full(DRAWS, 30.0)
    noisy = method.noisy(counts, largest, count_noise.Draws.of(np.random.default_rng(1), (DRAWS,)))
    law = LAWS[name].output(sizes)
    limit = distance_threshold(DRAWS, FALSE_ALARM)
    for x in np.linspace(30.1, 60.1, 41):
        ideal = float(law.cdf(Fraction(x)))
        assert abs(float((noisy <= x).mean()) - ideal) <= limit


def test_closed_forms_are_those_of_spec():
    found = {m.name: m.mean_error for m in count_noise.methods(ALPHA, EPSILON)}
    counts, largest = np.array([42.0]), np.array([30.0])
    for name in ("smooth-gamma", "smooth-laplace", "smooth-lomax"):
        law = LAWS[name]
        if name == "smooth-lomax":
            assert found[name](counts, largest)[0] == pytest.approx(float(law.mean_absolute_error(30)))
        draws = count_noise.Draws.of(np.random.default_rng(2), (400_000,))
        (method,) = (m for m in count_noise.methods(ALPHA, EPSILON) if m.name == name)
        errors = np.abs(method.noisy(np.full(400_000, 42.0), np.full(400_000, 30.0), draws) - 42)
        assert errors.mean() == pytest.approx(found[name](counts, largest)[0], rel=0.02)


def test_the_growth_scale_and_the_staircase_are_those_of_spec():
    for n, alpha in product((0, 1, 5, 10, 11, 500), (Fraction(1, 10), Fraction(1, 7))):
        here = count_noise.growth_scale(np.array([float(n)]), float(alpha))
        assert here[0] == pytest.approx(float(growth_scale.scale(Fraction(n), alpha, MP)))
        assert count_noise.growth_inverse(here, float(alpha))[0] == pytest.approx(n, abs=1e-9)
    law = Staircase(MP.number(0), Fraction(1, 4), Fraction(1, 3), EPSILON)
    shares = np.array([1e-6, 0.01, 0.3, 0.5, 0.6, 0.97, 1 - 1e-6])
    here = count_noise.staircase(shares, 1 / 4, 1 / 3, 2.0)
    assert here == pytest.approx([float(law.quantile(Fraction(p))) for p in shares])


def test_the_mean_error_of_the_growth_staircase_is_that_of_spec():
    (method,) = (m for m in count_noise.methods(ALPHA, EPSILON) if m.name == "growth-staircase")
    draws = count_noise.Draws.of(np.random.default_rng(3), (200_000,))
    counts = np.full(200_000, 3.0)
    made = LAWS["growth-staircase"]
    ideal = sum(mean_errors(Fraction(3), ALPHA, EPSILON, made.down, made.up))
    assert np.abs(method.noisy(counts, counts, draws) - 3).mean() == pytest.approx(float(ideal), rel=0.02)
