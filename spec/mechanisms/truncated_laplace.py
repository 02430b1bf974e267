"""Truncated Laplace: large establishments are removed, then a count gets Laplace noise.

Haney et al. 2017, Sections 6 and 10. The boundary is printed in two ways: establishments of exactly
θ workers are removed ("until all nodes have degree less than θ"; "suppresses establishments with
counts ≥ θ") or kept ("removing all establishments with more than 1,000 employees" at θ = 1000).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction

from establish.spec.arithmetic import EXACT, MP, Number, World
from establish.spec.distributions.laplace import Laplace
from establish.spec.parameters import ParameterError, Rational, positive
from establish.spec.relations.node import Node
from establish.spec.relations.universes import Shape, ShapeUniverse
from establish.spec.sensitivity import global_sensitivity


class Boundary(StrEnum):
    """Which establishments are kept."""

    BELOW = "below"
    """Fewer than θ workers: the text of the projection, and Section 10."""
    AT_MOST = "at-most"
    """At most θ workers: the 1,000 employees of Section 6."""


def require_threshold(theta: int) -> int:
    """``theta`` itself. Raises ParameterError unless it is an integer of at least 1."""
    if not isinstance(theta, int) or isinstance(theta, bool) or theta < 1:
        raise ParameterError(f"θ = {theta} is not allowed: θ is an integer of at least 1")
    return theta


def is_kept(size: int, theta: int, boundary: Boundary) -> bool:
    """Whether an establishment of ``size`` workers stays in the truncated data."""
    return size <= sensitivity(theta, boundary)


def contribution(matching: Number, size: Number, largest: Number, c: World) -> Number:
    """What one establishment of ``size`` workers adds to a truncated count: its matching workers if it has at
    most ``largest`` workers, and 0 otherwise.
    """
    return matching * (1 - c.sign(c.maximum(size - largest, c.number(0))))


def truncated_count(shapes: Sequence[Shape], theta: int, boundary: Boundary) -> int:
    """The matching workers of the establishments that are kept.

    shapes: per establishment the number of matching workers, followed by those of other workers by
    value; truncation goes by the whole workforce.
    """
    largest = sensitivity(theta, boundary)
    return int(sum(contribution(shape[0], sum(shape), largest, EXACT) for shape in shapes))


def sensitivity(theta: int, boundary: Boundary) -> int:
    """The exact sensitivity of one truncated count under node neighbors: the largest size kept.

    θ − 1 or θ, for every number of establishments: one of them changes, its contribution lies
    between 0 and the largest size kept, and both ends occur.
    """
    return theta - 1 if boundary is Boundary.BELOW else theta


def enumerated_sensitivity(
    theta: int, boundary: Boundary, establishments: int = 1, kinds: int = 1
) -> Fraction:
    """The same by definition, over all node neighbors of a finite universe.

    Every establishment has up to θ + 1 workers of each of ``kinds`` kinds; the first kind matches.
    """
    universe = ShapeUniverse(establishments, kinds, theta + 1)
    return global_sensitivity(lambda d: truncated_count(d, theta, boundary), Node(universe))


class TruncatedLaplaceMechanism:
    """Truncation at θ and Laplace(θ/ε) noise for one count, ε > 0, θ ≥ 1, as printed.

    Raises ParameterError outside that domain, and for θ = 1 with ``Boundary.BELOW``, where no
    establishment with workers is kept.
    """

    def __init__(self, epsilon: Rational, theta: int, boundary: Boundary = Boundary.BELOW) -> None:
        self.epsilon = positive("epsilon", epsilon)
        self.theta = require_threshold(theta)
        self.boundary = boundary
        if self.sensitivity == 0:
            raise ParameterError("θ = 1 is not allowed: it removes every establishment with workers")

    @property
    def sensitivity(self) -> int:
        return sensitivity(self.theta, self.boundary)

    @property
    def noise_scale(self) -> Fraction:
        """θ/ε as printed."""
        return self.theta / self.epsilon

    @property
    def privacy_loss(self) -> Fraction:
        """The exact loss under node neighbors: sensitivity over scale, at most ε."""
        return self.sensitivity / self.noise_scale

    def output(self, shapes: Sequence[Shape], c: World = MP) -> Laplace:
        """The law of the release; ``shapes`` as in :func:`truncated_count`."""
        count = truncated_count(shapes, self.theta, self.boundary)
        return Laplace(c.number(count), c.number(self.noise_scale), c)


class TightTruncatedLaplaceMechanism(TruncatedLaplaceMechanism):
    """The same with noise fit to the exact sensitivity; privacy loss exactly ε."""

    @property
    def noise_scale(self) -> Fraction:
        return self.sensitivity / self.epsilon
