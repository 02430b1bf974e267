"""Noise scaled to the maximum observed sensitivity, MOSE (Chetty and Friedman; Schmutte 2020).

θ̃_g = θ_g(rank) + Laplace(χ/(N_g ε)) for every group g, with χ = max_g N_g·LS_g, so that the envelope χ/N_g
lies above every local sensitivity LS_g. As published, χ and N_g are statistics of the confidential data;
what is proven of it needs both to be public, and so they may be given here.
"""

from collections.abc import Sequence
from fractions import Fraction

from establish.spec.arithmetic import MP, Number, World
from establish.spec.distributions.laplace import Laplace
from establish.spec.parameters import ParameterError, Rational, exact, positive
from establish.spec.regression.local import Grid, local_sensitivity
from establish.spec.regression.ols import Points, predict

Groups = tuple[Points, ...]
"""A dataset: the points of each group, in a fixed order of the groups."""


def maximum_observed_sensitivity(groups: Groups, rank: Fraction, grid: Grid) -> Fraction | float:
    """χ = max_g N_g·LS_g; math.inf when one person can take a group's prediction away.

    Raises ParameterError when there is no group, or a group has no prediction.
    """
    if not groups:
        raise ParameterError("groups = () is not allowed: χ is a maximum over at least one group")
    return max(len(points) * local_sensitivity(points, rank, grid) for points in groups)


def envelope(chi: Fraction, size: int) -> Fraction:
    """χ/N_g, in units of the outcome. Raises ParameterError for a size below 1."""
    if size < 1:
        raise ParameterError(f"size = {size} is not allowed: an envelope needs at least 1 person")
    return chi / size


class Mose:
    """The release of one prediction per group.

    epsilon: the printed ε > 0. rank: where the line is read, in [0, 1]. grid: the legal points.
    chi: a public constant > 0, or None to recompute χ from the data, as published.
    sizes: a public size ≥ 1 for each group, or None to take N_g from the data, as published.
    Raises ParameterError outside these domains.
    """

    def __init__(
        self,
        epsilon: Rational,
        rank: Rational,
        grid: Grid,
        chi: Rational | None = None,
        sizes: Sequence[int] | None = None,
    ) -> None:
        self.epsilon = positive("epsilon", epsilon)
        self.rank = exact("rank", rank)
        if not 0 <= self.rank <= 1:
            raise ParameterError(f"rank = {rank} is not allowed: a rank lies in [0, 1]")
        self.grid = grid
        self.public_chi = None if chi is None else positive("chi", chi)
        self.public_sizes = None if sizes is None else tuple(sizes)

    def chi(self, groups: Groups) -> Fraction:
        """The χ in use. Raises ParameterError where the recomputed one is infinite or 0."""
        if self.public_chi is not None:
            return self.public_chi
        found = maximum_observed_sensitivity(groups, self.rank, self.grid)
        if not isinstance(found, Fraction):
            raise ParameterError("chi = ∞: in some group one person decides if there is a line")
        return positive("chi", found)

    def scale(self, groups: Groups, g: int) -> Fraction:
        """The scale χ/(N_g ε) of the noise of group number g."""
        sizes = self.public_sizes or [len(points) for points in groups]
        if len(sizes) != len(groups):
            raise ParameterError(f"sizes = {sizes} must name one size for each of {len(groups)}")
        return envelope(self.chi(groups), sizes[g]) / self.epsilon

    def center(self, groups: Groups, g: int) -> Fraction:
        """θ_g(rank). Raises ParameterError when group number g has no prediction."""
        center = predict(groups[g], self.rank)
        if center is None:
            raise ParameterError(f"group {g} has no two different ranks: no regression line")
        return center

    def tail_exponent(self, groups: Groups, g: int, t: Number) -> Number:
        """The k with P(θ̃_g > t) = ½·e^(−k), for t at or above θ_g."""
        return (t - self.center(groups, g)) / self.scale(groups, g)

    def output(self, groups: Groups, g: int, c: World = MP) -> Laplace:
        """The law of θ̃_g; the noise of different groups is independent."""
        return Laplace(c.number(self.center(groups, g)), c.number(self.scale(groups, g)), c)
