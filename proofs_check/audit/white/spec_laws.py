"""The laws of ``establish.spec``, and a user's, as the white box reads them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from flint import arb

from establish.proofs_check.audit.white.laws import Chart, Reading, Tail, TailFrom
from establish.spec.arithmetic import Number, World
from establish.spec.distributions import geometric, heavy_tailed, laplace
from establish.spec.distributions.geometric import Geometric
from establish.spec.distributions.heavy_tailed import HeavyTailed
from establish.spec.distributions.laplace import Laplace
from establish.spec.distributions.log_laplace import LogLaplace
from establish.spec.parameters import ParameterError

Law = Any
"""What ``law(dataset, c)`` may return: see :func:`reading`."""


def reading(law: Law, c: World) -> Reading:
    """The Reading of a law of ``establish.spec`` or of a user, made in the world c.

    Raises ParameterError for an object that gives neither a density nor probabilities.
    """
    if isinstance(law, Reading):
        return law
    if isinstance(law, Laplace):
        return _laplace(law.center, law.scale, c)
    if isinstance(law, LogLaplace):
        return _log_laplace(law, c)
    if isinstance(law, HeavyTailed):
        return _heavy_tailed(law, c)
    if isinstance(law, Geometric):
        return _geometric(law, c)
    if hasattr(law, "log_density") and hasattr(law, "cdf"):
        low, high = getattr(law, "support", (None, None))
        breaks = getattr(law, "breaks", (0,))
        if callable(breaks):
            raise ParameterError(
                f"the law {type(law).__name__} has more breaks than can be listed: audit what runs"
            )
        return Reading(lambda x, _: law.log_density(x), law.cdf, tuple(breaks), low, high)
    raise ParameterError(
        f"the law {type(law).__name__} is not allowed: return a Reading, a law of establish.spec, "
        "or an object with log_density(x) and cdf(x)"
    )


def _laplace(center: Number, scale: Number, c: World) -> Reading:
    """Between the breaks −|x − m|/b is linear, so no absolute value is left in a formula."""

    constant = c.log(c.number(2 * scale))

    def log_density(x: Number, k: int) -> Number:
        distance = x - center if k else center - x
        return -distance / scale - constant

    def tail(side: int) -> TailFrom:
        def of(anchor: Number) -> Tail:
            rest = -side * (anchor - center) / scale - constant
            return Tail(0, -1 / scale, 0, lambda u: rest)

        return of

    return Reading(
        log_density,
        lambda x: _increasing(lambda z: laplace.cdf(z, c.number(0), c.number(1), c), (x - center) / scale),
        (center,),
        left=tail(-1),
        right=tail(1),
    )


def _increasing(cdf: Callable[[Number], Number], z: Number) -> Number:
    """A distribution function at z; where a ball holds 0, where its formula breaks, between its ends."""
    if not isinstance(z, arb) or z > 0 or z < 0 or z.is_exact():
        return cdf(z)
    return cdf(z.lower()).union(cdf(z.upper()))


def _log_laplace(law: LogLaplace, c: World) -> Reading:
    """In t = ln(x + shift) it is a Laplace law."""

    def forward(x: Number) -> Number:
        return c.log(x + law.shift)

    def back(t: Number) -> Number:
        return c.exp(t) - law.shift

    plain = _laplace(forward(law.count), law.scale, c)
    return replace(plain, chart=Chart("ln(x + shift)", law.shift, forward, back))


def _heavy_tailed(law: HeavyTailed, c: World) -> Reading:
    """With z = (a − m ± 1/u)/b: −ln(1 + |z|^γ) = γ·ln u − ln(u^γ + ((1 ± (a−m)u)/b)^γ)."""
    gamma = law.gamma
    constant = c.log(heavy_tailed.normalizer(gamma, c)) - c.log(law.scale)

    def log_density(x: Number, k: int) -> Number:
        z = (x - law.center if k else law.center - x) / law.scale
        return constant - c.log(1 + c.power(z, gamma))

    def tail(side: int) -> TailFrom:
        def rest(anchor: Number, u: Number) -> Number:
            distance = (1 + side * (anchor - law.center) * u) / law.scale
            return constant - c.log(c.power(u, gamma) + c.power(distance, gamma))

        return lambda anchor: Tail(0, 0, -gamma, lambda u: rest(anchor, u))

    def cdf(x: Number) -> Number:
        return _increasing(lambda z: heavy_tailed.cdf(z, gamma, c), (x - law.center) / law.scale)

    return Reading(log_density, cdf, (law.center,), left=tail(-1), right=tail(1))


def _geometric(law: Geometric, c: World) -> Reading:
    """ln of the mass is linear on either side of the center."""
    ratio = c.number(law.ratio)
    height, slope = c.log((1 - ratio) / (1 + ratio)), c.log(ratio)

    def log_mass(k: Number, above: int) -> Number:
        return height + slope * (k - law.center if above else law.center - k)

    def tail(side: int) -> TailFrom:
        return lambda anchor: Tail(0, slope, 0, lambda u: height + slope * side * (anchor - law.center))

    return Reading(
        log_mass,
        lambda k: geometric.cdf(int(k) - law.center, law.ratio, c),
        (law.center,),
        left=tail(-1),
        right=tail(1),
        whole=True,
    )
