"""Sample percentiles, and their local and smooth sensitivity (Foote et al. 2019, Section 4.2).

By definition: brute force over neighbors in a finite universe. By the printed formulas (4.4) to (4.6):
as printed, where indices outside 1, …, N have no meaning, and with public end points, where e_i is the
lower end for i < 1 and the upper end for i > N. For ranks that are not whole see
:mod:`establish.spec.earnings.rank_sensitivity`.
"""

from collections.abc import Sequence
from fractions import Fraction

from establish.spec.earnings.neighbors import Earnings
from establish.spec.parameters import ParameterError, Rational, probability
from establish.spec.relations.relation import NeighborRelation
from establish.spec.sensitivity import local_sensitivity, smooth_sensitivity

Exact = int | Fraction
Ends = tuple[Exact, Exact]
"""The public range of earnings, low < high, in dollars."""


def rank(size: int, share: Rational) -> Fraction:
    """M = (N+1)·X/100, the rank of the percentile X in a list of N earnings; it may be fractional."""
    return (size + 1) * probability("share", share)


def order_statistic(earnings: Sequence[Exact], i: int, ends: Ends | None) -> Exact | None:
    """e_i of sorted earnings; beyond the list the public end, or None when there is no public end."""
    if 1 <= i <= len(earnings):
        return earnings[i - 1]
    if ends is None:
        return None
    return ends[0] if i < 1 else ends[1]


def sample_percentile(earnings: Sequence[Exact], share: Rational, ends: Ends | None = None) -> Fraction:
    """e_M, and between e_⌊M⌋ and e_⌊M⌋+1 linear in M when the rank M is fractional.

    earnings: sorted. Without public ends a rank outside [1, N] is moved to the nearest end of the list.
    Raises ParameterError for an empty list without public ends.
    """
    if not earnings and ends is None:
        raise ParameterError("an empty list has no percentile without public end points")
    at = rank(len(earnings), share)
    low, high = ends if ends is not None else (earnings[0], earnings[-1])
    whole = int(at)
    below = order_statistic(earnings, whole, (low, high))
    above = order_statistic(earnings, whole + 1, (low, high))
    assert below is not None
    assert above is not None
    return below + (at - whole) * (Fraction(above) - below)


def local_by_definition(
    relation: NeighborRelation[Earnings], earnings: Earnings, share: Rational, ends: Ends
) -> Fraction:
    """The largest change of the sample percentile from ``earnings`` to a neighbor in the universe."""
    return local_sensitivity(lambda d: sample_percentile(d, share, ends), relation, earnings)


def smooth_by_definition(
    relation: NeighborRelation[Earnings],
    earnings: Earnings,
    share: Rational,
    ends: Ends,
    discount: Rational,
    radius: int,
) -> Fraction:
    """max over d' of e^(−mβ)·LS(d') with m ≤ radius the distance of d' (Definition 4.1).

    discount: e^(−β), a rational in (0, 1]. Exact in the universe once radius reaches its diameter.
    """
    return smooth_sensitivity(
        lambda d: sample_percentile(d, share, ends), relation, earnings, discount, radius
    )


def windows(earnings: Sequence[Exact], share: Rational, ends: Ends | None) -> tuple[Exact | None, ...]:
    """max over t = 0, …, k+1 of e_{M+t} − e_{M+t−k−1}, for k = 0, …, N (inside (4.5) and (4.6)).

    earnings: sorted. Without public ends, pairs with an index outside 1, …, N are left out, which the
    paper does not say; None where no pair is left. Raises ParameterError for a fractional rank M, for
    which e_M is not defined.
    """
    at = rank(len(earnings), share)
    if at.denominator != 1:
        raise ParameterError(f"the rank M = {at} is fractional: e_M is not defined")
    found: list[Exact | None] = []
    for k in range(len(earnings) + 1):
        pairs = (
            (
                order_statistic(earnings, int(at) + t, ends),
                order_statistic(earnings, int(at) + t - k - 1, ends),
            )
            for t in range(k + 2)
        )
        widths = [a - b for a, b in pairs if a is not None and b is not None]
        found.append(max(widths, default=None))
    return tuple(found)


def printed_local(earnings: Sequence[Exact], share: Rational, ends: Ends | None) -> Exact | None:
    """max(e_M − e_{M−1}, e_{M+1} − e_M) (equation (4.4) and its generalization); see windows."""
    return windows(earnings, share, ends)[0]


def printed_smooth(
    earnings: Sequence[Exact], share: Rational, ends: Ends | None, discount: Rational
) -> Fraction:
    """max over k of e^(−kβ) times the k-th window (equations (4.5), (4.6)), exact; see windows.

    discount: e^(−β), a rational in (0, 1]. 0 when no pair of indices lies inside the list.
    """
    factor = Fraction(discount)
    return max(
        (factor**k * w for k, w in enumerate(windows(earnings, share, ends)) if w is not None),
        default=Fraction(0),
    )
