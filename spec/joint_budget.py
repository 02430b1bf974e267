"""One μ shared by several queries so that a weighted sum of their errors is least; ours.

The normal noise of a query with budget μ_j has a standard deviation in proportion to 1/μ_j: γ/μ_j on the
scale of ψ for the ψ-mechanism, Δ(u)/μ_j for pnc at given bounds. Budgets add up by their squares. With
weights w_j and the power p = 1 (absolute errors) or 2 (squared errors), Σ w_j/μ_j^p at Σ μ_j² = μ² is least
where μ_j is proportional to w_j^(1/(p+2)), the root of the weight.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from establish.spec.arithmetic import Number, World

POWERS: Mapping[str, int] = {"absolute": 1, "squared": 2}
"""The errors that may be weighted, with the power p of 1/μ_j to which they are proportional."""


def weight(root: Number, power: int) -> Number:
    """w = root^(p+2), for root > 0."""
    return root ** (power + 2)


def error(root: Number, mu: Number, power: int) -> Number:
    """w/μ_j^p, for μ_j > 0: the weighted error, in units of the one at weight 1 and μ_j = 1."""
    return weight(root, power) / mu**power


def budget(root: Number, factor: Number) -> Number:
    """μ_j = factor·root, with one factor > 0 for all queries."""
    return factor * root


def price(factor: Number, power: int) -> Number:
    """p/(2·factor^(p+2)): by how much the least sum of errors falls for each unit of μ²."""
    return power / (2 * factor ** (power + 2))


def shares(weights: Sequence[Fraction], power: int, c: World) -> list[Number]:
    """μ_j/μ for positive weights, at least one; the squares of the shares add up to 1."""
    roots = [c.power(c.number(w), Fraction(1, power + 2)) for w in weights]
    factor = 1 / c.sqrt(sum((root * root for root in roots), c.number(0)))
    return [budget(root, factor) for root in roots]
