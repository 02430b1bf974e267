"""The noncentral χ² law with one degree of freedom: that of (Z + √λ)² for Z ~ N(0, 1) and λ ≥ 0."""

from establish.spec.arithmetic import Number, World
from establish.spec.distributions import gaussian


def cdf(y: Number, noncentrality: Number, c: World) -> Number:
    """P((Z + √λ)² ≤ y) = Φ(√y − √λ) − Φ(−√y − √λ), for y ≥ 0."""
    root, center = c.sqrt(y), c.sqrt(noncentrality)
    return gaussian.cdf(root - center, c) - gaussian.cdf(-root - center, c)


def density(y: Number, noncentrality: Number, c: World) -> Number:
    """e^(−(y+λ)/2)·cosh(√(λy))/√(2πy), for y > 0."""
    arc = c.sqrt(noncentrality * y)
    cosh = (c.exp(arc) + c.exp(-arc)) / 2
    return c.exp(-(y + noncentrality) / 2) * cosh / c.sqrt(2 * c.pi * y)
