"""Global, local and smooth sensitivity (Haney et al. 2017, Sections 2 and 8.2).

Definitions 2.3, 8.1 and 8.2, and Lemma 8.5.
"""

import math
from collections.abc import Callable, Iterable
from fractions import Fraction

from establish.spec.parameters import ParameterError, Rational, exact, positive
from establish.spec.relations.growth import largest_growth, largest_growth_real
from establish.spec.relations.relation import D, NeighborRelation

Exact = int | Fraction
Query = Callable[[D], Exact | tuple[Exact, ...]]
"""A query with one exact number, or a tuple of them, as its answer."""


def _vector(answer: Exact | tuple[Exact, ...]) -> tuple[Exact, ...]:
    return answer if isinstance(answer, tuple) else (answer,)


def _l1(first: Exact | tuple[Exact, ...], second: Exact | tuple[Exact, ...]) -> Fraction:
    x, y = _vector(first), _vector(second)
    return sum((abs(Fraction(a) - b) for a, b in zip(x, y, strict=True)), Fraction(0))


def local_sensitivity(query: Query[D], relation: NeighborRelation[D], d: D) -> Fraction:
    """The largest L1 change of the answer from d to a neighbor in the universe (Definition 8.1).

    0 when d has no neighbor.
    """
    here = query(d)
    return max((_l1(here, query(y)) for y in relation.neighbors(d)), default=Fraction(0))


def global_sensitivity(
    query: Query[D], relation: NeighborRelation[D], datasets: Iterable[D] | None = None
) -> Fraction:
    """The largest local sensitivity over ``datasets``, by default the universe (Definition 2.3)."""
    over = relation.datasets() if datasets is None else datasets
    return max((local_sensitivity(query, relation, d) for d in over), default=Fraction(0))


def smooth_sensitivity(
    query: Query[D], relation: NeighborRelation[D], d: D, discount: Rational, radius: int
) -> Fraction:
    """max over 0 ≤ j ≤ radius of discount^j A^(j)(d) inside the finite universe (Definition 8.2).

    A^(j)(d) is the largest local sensitivity within distance j. discount: e^(−b) with b ≥ 0, a
    rational in (0, 1]. It equals the smooth sensitivity in the universe once radius reaches its
    diameter, and is a lower bound before; an unbounded universe is the business of
    counting_smooth_sensitivity.

    Raises ParameterError for a discount outside (0, 1] or radius < 0.
    """
    factor = positive("discount", discount)
    if factor > 1:
        raise ParameterError(f"discount = {discount} is not allowed: e^(−b) is at most 1")
    if radius < 0:
        raise ParameterError(f"radius = {radius} is not allowed: a radius is at least 0")
    best = Fraction(0)
    for steps, sphere in enumerate(relation.spheres(d)):
        if steps > radius:
            break
        # A^(j) is the maximum over spheres 0..j; a nearer sphere counts more at its own distance.
        local = max(local_sensitivity(query, relation, y) for y in sphere)
        best = max(best, factor**steps * local)
    return best


def counting_smooth_sensitivity(
    largest: Rational, alpha: Rational, growth: Rational, integer: bool = True
) -> Fraction | float:
    """The smooth sensitivity of a count under strong α-neighbors, exact, without a bound on sizes.

    largest: x_v, the largest number of matching workers at one establishment, ≥ 0. alpha: α > 0.
    growth: e^b, a rational ≥ 1. integer: whether sizes are integers (and ``largest`` is one), or
    may be any real numbers ≥ 0. math.inf when e^b < 1 + α.

    Derivation. A step changes one establishment, from size y by at most g(y) = max(⌊αy⌋, 1) upwards
    (on reals max(αy, 1)); a step down to y' leaves room for g(y') ≤ g(y) only. So the local
    sensitivity is g of the largest size, and since y + g(y) is increasing, the largest size within
    distance j is y_j, with y_0 = x_v and y_{j+1} = y_j + g(y_j). The smooth sensitivity is the
    supremum of e^(−bj) g(y_j).

    Unbounded. g ≥ 1, so y_j grows past 2/α, and from there y_{j+1} ≥ (1 + α)y_j − 1 keeps y_j − 1/α
    growing by the factor 1 + α at least; hence e^(−bj) g(y_j) → ∞ when e^b < 1 + α.

    Stopping. Let U_j = max(αy_j, 1) ≥ g(y_j). Then αy_{j+1} = αy_j + αg(y_j) ≤ (1 + α)U_j, so that
    U_{j+1} ≤ (1 + α)U_j ≤ e^b U_j: the bounds e^(−bj) U_j decrease, and once the best value so far
    reaches one of them no later step exceeds it. On reals g(y_0) = U_0, and the loop ends at once.

    Termination for α = p/q in lowest terms. If e^b > 1 + α, U_j e^(−bj) → 0. If e^b = 1 + α and
    αx_v ≤ 1, the loop ends at j = 0 with the value 1. Otherwise let f_j be the fractional part of
    αy_j. As αy_{j+1} = (1 + α)αy_j − αf_j, the limit of e^(−bj) αy_j is e^(−bj) (αy_j − F_j) with
    F_j the average of f_j, f_{j+1}, … under the weights (α/(1+α)) (1 + α)^(−i), while e^(−bj)
    g(y_j) is the same with f_j in place of F_j. Take the j with the least f_j. If a later f is
    larger, f_j < F_j, and the bounds fall below the value at j. If f_j = 0, value and bound are
    equal at j. Otherwise all later f are one r/q > 0; then y_{j+1} − r/p = ((p + q)/q)(y_j − r/p),
    and p y_j − r would be divisible by every power of q, so αy_j = r/q < 1, which was excluded.

    Raises ParameterError for a parameter outside its domain.
    """
    x, share, factor = _counting_parameters(largest, alpha, growth)
    if integer and x.denominator != 1:
        raise ParameterError(f"largest = {largest} is not allowed: integer sizes are asked for")
    if factor < 1 + share:
        return math.inf
    best, discount, size = Fraction(0), Fraction(1), x
    while True:
        bound = largest_growth_real(size, share)
        step = Fraction(largest_growth(int(size), share)) if integer else bound
        best = max(best, discount * step)
        if best >= discount * bound:
            return best
        size += step
        discount /= factor


def printed_counting_smooth_sensitivity(
    largest: Rational, alpha: Rational, growth: Rational
) -> Fraction | float:
    """max(x_v α, 1) if e^b ≥ 1 + α, otherwise math.inf, as printed (Lemma 8.5, equation 12).

    Same parameters as counting_smooth_sensitivity. Raises ParameterError outside their domains.
    """
    x, share, factor = _counting_parameters(largest, alpha, growth)
    return max(x * share, Fraction(1)) if factor >= 1 + share else math.inf


def _counting_parameters(
    largest: Rational, alpha: Rational, growth: Rational
) -> tuple[Fraction, Fraction, Fraction]:
    x, share, factor = exact("largest", largest), positive("alpha", alpha), exact("growth", growth)
    if x < 0:
        raise ParameterError(f"largest = {largest} is not allowed: a size is at least 0")
    if factor < 1:
        raise ParameterError(f"growth = {growth} is not allowed: e^b is at least 1")
    return x, share, factor
