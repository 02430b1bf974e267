"""Sensitivity of percentiles at every rank, whole or fractional, in closed form.

Q is the line through the points (i, e_i) of a sorted list, with the public ends beyond it: e_i is the lower
end for i < 1 and the upper end for i > N. The percentile is Q(M), M = (N+1)·X/100. One step moves Q(M) at
most to where Q(M + s) or Q(M − s) was:

- one individual's earnings change: e'_i lies between e_{i−1} and e_{i+1}, and s = 1;
- one individual more or less: the rank moves by X/100 as well, and s = max(X, 100 − X)/100.

Both Q(M+s) − Q(M) and Q(M) − Q(M−s) have the form g·(y − x) + h·(z − y), with x ≤ y ≤ z three
neighboring order statistics e_r, e_{r+1}, e_{r+2} and g > 0, h ≥ 0. Farther lists: take ``removed``
individuals out, and put ``added`` in. Of a farther list only x, y, z matter, and they may be taken from the
list, x = e_i and z = e_j: lowering x to the next e_i (or to the lower end), and raising z, loses nothing.
What is kept fits below x, above z, and into y when y = e_l with i < l < j, so at least
i + 1 + (N − j + 1) = N − removed must fit, that is j − i = removed + 2; r − added ≤ i ≤ r leaves room for
what was put in. An inserted y is no better, since e_l beside an end of the window, with the window one wider,
is. The form is linear in y, so l = i + 1 or l = j − 1.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from establish.spec.arithmetic import Number, World
from establish.spec.earnings.order_sensitivity import Ends, Exact, order_statistic, rank
from establish.spec.parameters import ParameterError, Rational, positive, probability

Width = Fraction | float
"""A change of a percentile in dollars; math.inf where earnings have no public end."""


def farthest_stretch(
    earnings: Sequence[Exact], ends: Ends | None, start: Fraction, step: Fraction, added: int, removed: int
) -> Width:
    """The largest Q'(start + step) − Q'(start) over lists with so many individuals more and fewer.

    earnings: sorted. step: in (0, 1]. start: from 0, and start + step up to N' + 1, where N' is the
    size of the farther lists. Without public ends earnings are unbounded.
    """
    r = math.floor(start)
    part = start - r
    first, second = min(step, 1 - part), max(Fraction(0), part + step - 1)

    def gap(weight: Fraction, low: int, high: int) -> Width:
        if weight == 0 or low == high:
            return Fraction(0)
        bottom, top = (order_statistic(earnings, i, ends) for i in (low, high))
        return math.inf if bottom is None or top is None else weight * (Fraction(top) - bottom)

    return max(
        gap(first, i, at) + gap(second, at, i + removed + 2)
        for i in range(r - added, r + 1)
        for at in (i + 1, i + removed + 1)
    )


def local_by_change(earnings: Sequence[Exact], share: Rational, ends: Ends | None, distance: int) -> Width:
    """The largest local sensitivity among lists in which at most ``distance`` individuals earn otherwise.

    earnings: sorted. distance: ≥ 0. At a whole rank it is the window of (4.5) and (4.6). A rank below
    1 lies between the lower end, which does not move, and e_1, so that the percentile moves by M times
    what e_1 moves; above N alike. 0 for an empty list. O(distance) operations.
    """
    size = len(earnings)
    if size == 0:
        return Fraction(0)
    at = rank(size, share)
    factor, at = _inside(at, size)
    far = max(
        farthest_stretch(earnings, ends, start, Fraction(1), distance, distance) for start in (at, at - 1)
    )
    return far if ends is None else factor * far


def _inside(at: Fraction, size: int) -> tuple[Fraction, Fraction]:
    """The nearest rank from 1 to ``size``, and the share of its movement that the percentile makes."""
    if at < 1:
        return at, Fraction(1)
    if at > size:
        return size + 1 - at, Fraction(size)
    return Fraction(1), at


def smallest_size(share: Rational) -> int:
    """The least N with N·X/100 ≥ 1 and N·(100 − X)/100 ≥ 1.

    From there on, of one individual more or less, neither the lowest nor the highest order statistic
    decides alone, and the closed form by presence is exact.
    """
    p = probability("share", share)
    return math.ceil(1 / min(p, 1 - p))


def local_by_presence(earnings: Sequence[Exact], share: Rational, ends: Ends | None, distance: int) -> Width:
    """The largest local sensitivity at exactly ``distance`` individuals more or fewer.

    earnings: sorted. distance: ≥ 0. Exact while N − distance ≥ smallest_size(share); for smaller lists
    the whole range is returned, which no percentile can exceed. O(distance²) operations.
    """
    size, p = len(earnings), probability("share", share)
    if size - distance < smallest_size(p):
        return math.inf if ends is None else Fraction(ends[1]) - ends[0]
    step = max(p, 1 - p)
    return max(
        farthest_stretch(earnings, ends, start, step, added, distance - added)
        for added in range(distance + 1)
        for at in [rank(size + 2 * added - distance, p)]
        for start in (at, at - step)
    )


def _widths_by_change(earnings: Sequence[Exact], share: Rational, ends: Ends | None) -> Iterator[Width]:
    """At distance 0, 1, …, N; farther lists are no different."""
    return (local_by_change(earnings, share, ends, k) for k in range(len(earnings) + 1))


def _widths_by_presence(earnings: Sequence[Exact], share: Rational, ends: Ends | None) -> Iterator[Width]:
    """At distance 0, 1, … up to the first at which the whole range is returned; no later one counts."""
    last = max(len(earnings) - smallest_size(share) + 1, 0)
    return (local_by_presence(earnings, share, ends, k) for k in range(last + 1))


def _exact_smooth(widths: Iterator[Width], discount: Rational) -> Width:
    factor = positive("discount", discount)
    if factor > 1:
        raise ParameterError(f"discount = {discount} is not allowed: e^(−β) is at most 1")
    return max(w if w == math.inf else factor**k * w for k, w in enumerate(widths))


def smooth_by_change(
    earnings: Sequence[Exact], share: Rational, ends: Ends | None, discount: Rational
) -> Width:
    """The β-smooth sensitivity when one individual's earnings change, at every rank.

    discount: e^(−β), a rational in (0, 1]. math.inf without public ends. O(N²) operations. Raises
    ParameterError for a discount outside its domain.
    """
    return _exact_smooth(_widths_by_change(earnings, share, ends), discount)


def smooth_by_presence(
    earnings: Sequence[Exact], share: Rational, ends: Ends | None, discount: Rational
) -> Width:
    """A β-smooth upper bound when an individual is added or removed, at every rank.

    It is the β-smooth sensitivity, but that lists of fewer than smallest_size(share) individuals count
    with the whole range; it satisfies (4.3) because B_k(d) ≤ B_{k+1}(d') for neighbors d, d', where B_k
    is local_by_presence: a list at distance k from d is at most k + 1 from d', and d' has at most one
    individual more. Parameters as smooth_by_change. O(N³) operations.
    """
    return _exact_smooth(_widths_by_presence(earnings, share, ends), discount)


def smooth_bound(earnings: Sequence[Exact], share: Rational, ends: Ends, beta: Number, c: World) -> Number:
    """smooth_by_change in the world c for any β > 0, with public end points."""
    best = c.number(0)
    for k, width in enumerate(_widths_by_change(earnings, share, ends)):
        best = c.maximum(best, c.number(width) * c.exp(-k * c.number(beta)))
    return best
