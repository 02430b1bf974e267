"""Samples of the running mechanisms against the ideal mechanisms of the specification.

At one point x the share of n draws that are at most x is the mean of n indicators of mean F(x), so by
Hoeffding P(|F_n(x) − F(x)| > t) ≤ 2·e^(−2nt²). With POINTS points the probability that any of them is
farther off is at most POINTS times that; CRITICAL makes it FALSE_ALARM. F is evaluated at 60 digits
by the specification, which shares no code with the samplers.
"""

import dataclasses
import math
from fractions import Fraction as F

import numpy as np
import pytest

from establish.impl.mechanisms import Laplace, LogLaplace, SmoothGamma, SmoothLaplace
from establish.spec.mechanisms.laplace import LaplaceMechanism
from establish.spec.mechanisms.log_laplace import LogLaplaceMechanism, TightLogLaplaceMechanism
from establish.spec.mechanisms.smooth_gamma import SmoothGammaMechanism, TightSmoothGammaMechanism
from establish.spec.mechanisms.smooth_laplace import SmoothLaplaceMechanism

FALSE_ALARM = 1e-9
DRAWS = 1_000_000
POINTS = 200
CRITICAL = math.sqrt(math.log(2 * POINTS / FALSE_ALARM) / (2 * DRAWS))
"""0.0037. A law that is 2·CRITICAL away at one of the points is noticed, but with probability
FALSE_ALARM, by the same inequality."""

FAULT = 1.05
"""The planted fault: a noise scale off by 5%."""


# What runs, what must hold, the sizes of the cell's establishments, and the largest that is passed on.
CASES = {
    "laplace": (Laplace("1/2"), LaplaceMechanism("1/2"), (40,), None),
    "log-laplace": (LogLaplace("0.1", 2), LogLaplaceMechanism("0.1", 2), (50, 40), None),
    "log-laplace of an empty cell": (LogLaplace("0.2", 1), LogLaplaceMechanism("0.2", 1), (), None),
    "log-laplace tight": (
        LogLaplace("0.05", 1, "tight"),
        TightLogLaplaceMechanism("0.05", 1),
        (7, 0, 2),
        None,
    ),
    "log-laplace without mean": (LogLaplace(1, 1), LogLaplaceMechanism(1, 1), (5,), None),
    "smooth-gamma": (
        SmoothGamma("0.1", 2),
        SmoothGammaMechanism("0.1", 2),
        (500, 500, 400, 3),
        500,
    ),
    "smooth-gamma of small establishments": (
        SmoothGamma("0.01", "1/4"),
        SmoothGammaMechanism("0.01", "1/4"),
        (3, 2),
        3,
    ),
    "smooth-gamma without the largest": (
        SmoothGamma("0.2", 4),
        SmoothGammaMechanism("0.2", 4),
        (90,),
        None,
    ),
    "smooth-gamma tight": (
        SmoothGamma("0.1", "0.4", "tight"),
        TightSmoothGammaMechanism("0.1", "0.4"),
        (20, 15),
        20,
    ),
    "smooth-laplace": (
        SmoothLaplace("0.1", 2, "1/100"),
        SmoothLaplaceMechanism("0.1", 2, "1/100"),
        (300, 200),
        300,
    ),
    "smooth-laplace tight": (
        SmoothLaplace("0.1", 2, "1/100000", "tight"),
        SmoothLaplaceMechanism("0.1", 2, "1/100000"),
        (9,),
        None,
    ),
}
each = pytest.mark.parametrize("name", CASES)


def sample(name, seed=20170514):
    runs, _, sizes, largest = CASES[name]
    top = None if largest is None else np.full(DRAWS, largest)
    return runs.release(np.full(DRAWS, sum(sizes)), np.random.default_rng(seed), top)


def ideal(name):
    _, holds, sizes, _ = CASES[name]
    return holds.output(sizes[0] if name == "laplace" else sizes)


def points(name):
    """POINTS rationals where the law has its mass: around the count, in units of the noise."""
    law = ideal(name)
    steps = [F(2 * k + 1 - POINTS, 20) for k in range(POINTS)]  # ±1/20 ... ±199/20
    spread = F(float(law.scale)).limit_denominator(1000)
    if hasattr(law, "shift"):
        count, shift = F(int(law.count)), F(int(law.shift))
        return [(count + shift) * F(math.exp(spread * z)) - shift for z in steps]
    return [F(int(law.center)) + spread * z for z in steps]


def distance(drawn, law, at):
    """The largest difference of the two distribution functions at the points."""
    ordered = np.sort(drawn)
    empirical = np.searchsorted(ordered, np.array([float(x) for x in at]), side="right") / DRAWS
    exact = np.array([float(law.cdf(x)) for x in at])
    return float(np.max(np.abs(empirical - exact)))


def test_the_critical_value_solves_the_inequality_for_the_false_alarm():
    assert POINTS * 2 * math.exp(-2 * DRAWS * CRITICAL**2) == pytest.approx(FALSE_ALARM)


@each
def test_samples_follow_the_ideal_law(name):
    assert distance(sample(name), ideal(name), points(name)) <= CRITICAL


@each
@pytest.mark.parametrize("fault", [FAULT, 1 / FAULT], ids=["larger", "smaller"])
def test_a_law_whose_scale_is_off_by_5_percent_is_rejected(name, fault):
    law = ideal(name)
    faulty = dataclasses.replace(law, scale=law.scale * fault)
    assert distance(sample(name), faulty, points(name)) > CRITICAL


@each
def test_a_sampler_whose_scale_is_off_by_5_percent_is_rejected(name, monkeypatch):
    runs = CASES[name][0]
    monkeypatch.setattr(runs, "noise_scale", runs.noise_scale * FAULT)
    assert distance(sample(name), ideal(name), points(name)) > CRITICAL


@each
def test_the_planted_fault_is_so_large_that_it_cannot_be_missed(name):
    law = ideal(name)
    faulty = dataclasses.replace(law, scale=law.scale * FAULT)
    gap = max(abs(law.cdf(x) - faulty.cdf(x)) for x in points(name))
    assert gap > 2 * CRITICAL
