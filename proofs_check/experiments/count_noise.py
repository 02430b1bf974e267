"""The mechanisms for counts on many cells at once, in floats from numpy's generators: for their error only.

Nothing drawn here is safe to release: floats leak, and the seed is known. ``establish release`` draws
exactly. All mechanisms use the same standard draws, which leaves the law of each as it is. Outputs are not
rounded; those of growth-staircase are at least 0, as it is released; the papers' are as printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import log

import numpy as np

from establish.impl.arrays import Floats
from establish.impl.mechanisms.growth_staircase import GrowthStaircase
from establish.impl.mechanisms.log_laplace import LogLaplace
from establish.impl.mechanisms.smooth_gamma import SmoothGamma
from establish.impl.mechanisms.smooth_laplace import SmoothLaplace
from establish.impl.mechanisms.smooth_lomax import SmoothLomax
from establish.spec.parameters import ParameterError


@dataclass(frozen=True, eq=False)
class Draws:
    """Standard draws, one of each law for every cell."""

    sign: Floats
    exponential: Floats
    heavy: Floats
    uniform: Floats

    @classmethod
    def of(cls, rng: np.random.Generator, shape: tuple[int, ...]) -> Draws:
        """heavy: |Z| with density ∝ 1/(1+z⁴), of which Z⁴/(1+Z⁴) has the beta law (1/4, 3/4)."""
        share = rng.beta(0.25, 0.75, shape)
        return cls(
            rng.choice([-1.0, 1.0], shape),
            rng.standard_exponential(shape),
            (share / (1 - share)) ** 0.25,
            rng.random(shape),
        )


Noise = Callable[[Floats, Floats, Draws], Floats]
"""True counts, largest counts of one establishment, draws → noisy counts."""

MeanError = Callable[[Floats, Floats], Floats]
"""True counts, largest counts of one establishment → E|noisy − true|, in closed form."""


@dataclass(frozen=True)
class Method:
    """A mechanism at given parameters. mean_error: None where there is no closed form."""

    name: str
    noisy: Noise
    mean_error: MeanError | None


def scale_of(largest: Floats, alpha: Fraction) -> Floats:
    """S = max(αx, 1)."""
    return np.maximum(float(alpha) * largest, 1.0)


def log_laplace(alpha: Fraction, epsilon: Fraction) -> Method:
    """Algorithm 1. Raises ParameterError where its mean is infinite, which the figures leave out."""
    made = LogLaplace(alpha, epsilon, "published")
    λ, γ = made.noise_scale, made.gamma
    if λ >= 1:
        raise ParameterError(f"λ = {λ:g} has no mean: Lemma 8.2 needs λ < 1")

    def noisy(counts: Floats, largest: Floats, draws: Draws) -> Floats:
        return (counts + γ) * np.exp(λ * draws.sign * draws.exponential) - γ

    return Method(made.name, noisy, lambda counts, largest: (counts + γ) * λ / (1 - λ * λ))


def smooth_gamma(alpha: Fraction, epsilon: Fraction) -> Method:
    """Algorithm 2. Raises ParameterError outside its domain."""
    made = SmoothGamma(alpha, epsilon, "published")
    c = made.noise_scale

    def noisy(counts: Floats, largest: Floats, draws: Draws) -> Floats:
        return counts + c * scale_of(largest, alpha) * draws.sign * draws.heavy

    return Method(made.name, noisy, lambda counts, largest: c / 2**0.5 * scale_of(largest, alpha))


def smooth_laplace_noise(alpha: Fraction, epsilon: Fraction) -> Method:
    """Algorithm 3; its noise does not depend on δ, and whether δ allows it is asked elsewhere."""
    c = float(2 / epsilon)

    def noisy(counts: Floats, largest: Floats, draws: Draws) -> Floats:
        return counts + c * scale_of(largest, alpha) * draws.sign * draws.exponential

    return Method(SmoothLaplace.name, noisy, lambda counts, largest: c * scale_of(largest, alpha))


def smooth_lomax(alpha: Fraction, epsilon: Fraction) -> Method:
    """Ours. Raises ParameterError outside its domain."""
    made = SmoothLomax(alpha, epsilon)
    θ, p = made.noise_scale, made.power

    def noisy(counts: Floats, largest: Floats, draws: Draws) -> Floats:
        size = θ * np.expm1(draws.exponential / (p - 1))
        return counts + scale_of(largest, alpha) * draws.sign * size

    return Method(made.name, noisy, lambda counts, largest: scale_of(largest, alpha) * θ / (p - 2))


def growth_staircase(alpha: Fraction, epsilon: Fraction) -> Method:
    """Ours. Raises ParameterError outside its domain."""
    made = GrowthStaircase(alpha, epsilon)
    down, up = float(made.down), float(made.up)

    def noisy(counts: Floats, largest: Floats, draws: Draws) -> Floats:
        moved = growth_scale(counts, float(alpha)) + staircase(draws.uniform, down, up, float(epsilon))
        return np.maximum(growth_inverse(moved, float(alpha)), 0.0)

    return Method(made.name, noisy, None)


def truncated_laplace(removed: Floats, epsilon: Fraction, theta: int) -> Method:
    """Establishments of θ workers or more are left out, ``removed`` workers from each cell; Laplace(θ/ε)."""
    b = float(theta / epsilon)

    def noisy(counts: Floats, largest: Floats, draws: Draws) -> Floats:
        return counts - removed + b * draws.sign * draws.exponential

    return Method(
        f"truncated-laplace θ={theta}", noisy, lambda counts, largest: removed + b * np.exp(-removed / b)
    )


BUILDERS = (log_laplace, smooth_gamma, smooth_laplace_noise, smooth_lomax, growth_staircase)
"""The first three as printed, the others ours."""


def methods(alpha: Fraction, epsilon: Fraction) -> Iterator[Method]:
    """Those that are defined at these parameters, ε being what one count may cost."""
    for build in BUILDERS:
        with suppress(ParameterError):
            yield build(alpha, epsilon)


def smooth_laplace_allowed(alpha: Fraction, epsilon: Fraction, delta: Fraction) -> bool:
    """Whether Algorithm 3 takes these parameters, by its printed condition and its exact δ."""
    try:
        SmoothLaplace(alpha, epsilon, delta, "published")
    except ParameterError:
        return False
    return True


def staircase(uniform: Floats, down: float, up: float, epsilon: float) -> Floats:
    """The quantile of the staircase law at shares in [0, 1): see spec/distributions/staircase."""
    steps = 1 / np.expm1(epsilon)
    flat = 1 / (down + up + 2 * steps)
    upper = uniform > flat * (steps + down)
    tail = np.maximum(np.where(upper, 1 - uniform, uniform), 1e-300) / flat
    side = np.where(upper, up, down)
    k = np.maximum(np.ceil(np.log(steps / tail) / epsilon), 0.0)
    distance = side + k + steps - tail * np.exp(epsilon * k)
    found: Floats = np.where(upper, distance, -distance)
    return found


def growth_scale(counts: Floats, alpha: float) -> Floats:
    """φ of counts: see spec/growth_scale."""
    joints = np.maximum(np.ceil(1 / alpha - counts), 0.0)
    found: Floats = np.log(alpha * (counts + joints)) / log(1 + alpha) - joints
    return found


def growth_inverse(values: Floats, alpha: float) -> Floats:
    """φ⁻¹."""
    joints = np.maximum(np.ceil(-values), 0.0)
    found: Floats = np.exp((values + joints) * log(1 + alpha)) / alpha - joints
    return found
