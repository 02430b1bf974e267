"""Section 4.2, (4.6) at ranks that are not whole: what each reading of e_M gives."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from math import ceil, floor

import z3

from establish import Evidence, Verdict, aside, claim, exact, exhaustive, fails, holds, solver
from establish.spec.earnings.neighbors import Earnings, EarningsOfOne, PresenceOfOne
from establish.spec.earnings.order_sensitivity import (
    Ends,
    local_by_definition,
    order_statistic,
    rank,
    smooth_by_definition,
)
from establish.spec.earnings.rank_sensitivity import local_by_presence, smooth_by_change, smooth_by_presence
from establish.spec.relations.relation import NeighborRelation
from establish.spec.sensitivity import smooth_sensitivity

QUARTILES = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
DISCOUNTS = (Fraction(1, 2), Fraction(9, 10))
"""Values of e^(−β)."""

TOP = 2
ENDS: Ends = (0, TOP)
"""The public range of earnings in the finite universes of this module."""

SIZES = (2, 4)
"""Numbers of individuals at which the rank of every quartile is fractional."""

UNIVERSE = f"2 or 4 earnings from 0 to {TOP}, X = 25, 50, 75, e^(−β) = 1/2 and 9/10"


def _cases() -> Iterator[tuple[Earnings, Fraction, Fraction]]:
    for size in SIZES:
        for d in EarningsOfOne(range(TOP + 1), size, size).datasets():
            yield from ((d, share, discount) for share in QUARTILES for discount in DISCOUNTS)


def _relation(d: Earnings) -> EarningsOfOne:
    return EarningsOfOne(range(TOP + 1), len(d), len(d))


def line(d: Earnings, at: Fraction) -> Fraction:
    """The line through the points (i, e_i), the public ends beyond the list."""
    low, high = (order_statistic(d, i, ENDS) for i in (floor(at), floor(at) + 1))
    assert low is not None
    assert high is not None
    return low + (at - floor(at)) * (Fraction(high) - low)


def on_line(d: Earnings, at: Fraction, discount: Fraction, most: int) -> Fraction:
    """(4.6) with k = 0, …, most and every e_i read off the line, at the rank ``at``."""
    return max(
        discount**k * (line(d, at + t) - line(d, at + t - k - 1))
        for k in range(most + 1)
        for t in range(k + 2)
    )


@claim(
    "foote2019/eq-4.6-rank-rounded-up",
    where="Section 4.2, (4.6), read at ⌈M⌉",
    says="With a fractional rank M rounded up, (4.6) is the β-smooth sensitivity of e_⌈M⌉.",
    origin="ours",
)
def a_rounded_rank_is_a_whole_rank() -> Verdict:
    """When one individual's earnings change, N and so ⌈M⌉ stay, and the argument for whole ranks applies to
    ⌈M⌉ as to any other rank from 1 to N. For M > N the rank is N. It takes public end points.
    """

    def agrees(case: tuple[Earnings, Fraction, Fraction]) -> bool:
        d, share, discount = case
        at = min(ceil(rank(len(d), share)), len(d))
        found = smooth_sensitivity(lambda e: e[at - 1], _relation(d), d, discount, radius=len(d) + 1)
        return found == on_line(d, Fraction(at), discount, len(d))

    return holds(
        exhaustive.for_all(_cases(), agrees, "(4.6) at ⌈M⌉, by definition", UNIVERSE),
        condition="neighbors change one entry; public end points",
    )


@claim(
    "foote2019/eq-4.6-rank-interpolated",
    where="Section 4.2, (4.6), read on the line between order statistics",
    says="With percentile and e_i read off the line through the order statistics, (4.6) with k = 0, …, N "
    "is the β-smooth sensitivity at fractional ranks.",
    origin="ours",
)
def interpolated_windows_end_too_early() -> Verdict:
    """It is not even smooth: no window of length N + 1 at a fractional rank covers the whole range, which
    other lists can move through. With k up to N + 1 it is a smooth upper bound, as a window of length k + 1
    lies in one of length k + 2 of a neighbor, and more than needed. With f = M − ⌊M⌋ ≤ 1/2 the largest
    local sensitivity at distance k is that of a list in which two of the three order statistics that decide
    have met: (1−f)·(e_{i+k+1} − e_i) + f·(e_{i+k+2} − e_{i+k+1}) for some window at M; the line gives
    f·(e_{i+k+1} − e_{i+1}) more, nothing at k = 0. For f > 1/2 the mirror image,
    (1−f)·(e_{i+1} − e_i) + f·(e_{i+k+2} − e_{i+1}), with (1−f)·(e_{i+k+1} − e_{i+1}) more on the line.
    """
    f, a, b, c, d = z3.Reals("f a b c d")
    on_the_line = (1 - f) * (c - a) + f * (d - b)
    first, second = ((1 - f) * (x - a) + f * (d - x) for x in (c, b))
    half, discount = Fraction(1, 2), Fraction(9, 10)
    low, high = (0, 1), (1, 1)

    def closed_form(case: tuple[Earnings, Fraction, Fraction]) -> bool:
        d, share, factor = case
        found = smooth_by_definition(_relation(d), d, share, ENDS, factor, len(d) + 1)
        return found == smooth_by_change(d, share, ENDS, factor)

    def smooth_and_above(case: tuple[Earnings, Fraction, Fraction]) -> bool:
        d, share, factor = case
        at, relation = rank(len(d), share), _relation(d)
        own = on_line(d, at, factor, len(d) + 1)
        return own >= smooth_by_change(d, share, ENDS, factor) and all(
            factor * own <= on_line(e, at, factor, len(d) + 1) for e in relation.neighbors(d)
        )

    return fails(
        exact.compare(int(_relation(low).related(low, high)), "==", 1, f"{low}, {high}: neighbors"),
        exact.compare(
            discount * on_line(low, rank(2, half), discount, 2),
            ">",
            on_line(high, rank(2, half), discount, 2),
            "X = 50, e^(−β) = 9/10: e^(−β)·(4.6) at the first against (4.6) at the second",
        ),
        exhaustive.for_all(_cases(), closed_form, "the closed form is the β-smooth sensitivity", UNIVERSE),
        solver.for_all(
            [f >= 0, f <= 1, a <= b, b <= c, c <= d],
            z3.And(on_the_line - first == f * (c - b), on_the_line - second == (1 - f) * (c - b)),
            "what the line gives more, a, b, c, d for e_i, e_{i+1}, e_{i+k+1}, e_{i+k+2}",
        ),
        aside(
            exhaustive.for_all(
                _cases(), smooth_and_above, "with k up to N + 1 it is a smooth upper bound", UNIVERSE
            )
        ),
        counterexample="(0, 1) and (1, 1), range 0 to 2, X = 50, e^(−β) = 9/10: (4.6) on the line is "
        f"{on_line(low, rank(2, half), discount, 2)} and {on_line(high, rank(2, half), discount, 2)}, "
        "more than a factor 10/9 apart",
        value="max over k of e^(−kβ)·max_i ((1−f)·(e_{i+k+1} − e_i) + f·(e_{i+k+2} − e_{i+k+1})) for f ≤ 1/2",
        condition="neighbors change one entry; public end points; outside 1 ≤ M ≤ N, M or N + 1 − M times "
        "that of the nearest order statistic",
    )


def _by_presence(share: Fraction, size: int, reach: int, top: int) -> Evidence:
    """The closed form by presence against search, at every distance up to ``reach``."""
    relation: NeighborRelation[Earnings] = PresenceOfOne(range(top + 1), 0, size + reach + 1)
    ends: Ends = (0, top)

    def agrees(d: Earnings) -> bool:
        return all(
            max(local_by_definition(relation, other, share, ends) for other in sphere)
            == local_by_presence(d, share, ends, k)
            for k, sphere in enumerate(islice(relation.spheres(d), reach + 1))
        )

    return exhaustive.for_all(
        EarningsOfOne(range(top + 1), size, size).datasets(),
        agrees,
        f"X = {100 * share}: the largest local sensitivity at distance 0 to {reach}",
        f"{size} earnings from 0 to {top}, X = {100 * share}, one more or less",
    )


def _a_smooth_bound(share: Fraction) -> Evidence:
    relation, ends, discount = PresenceOfOne(range(3), 0, 6), (0, 2), Fraction(2, 3)
    bound = {d: smooth_by_presence(d, share, ends, discount) for d in relation.datasets()}
    return exhaustive.for_all(
        [d for d in bound if len(d) < 6],
        lambda d: (
            bound[d] >= local_by_definition(relation, d, share, ends)
            and all(discount * bound[e] <= bound[d] for e in relation.neighbors(d))
            and all(discount * bound[d] <= bound[e] for e in relation.neighbors(d))
        ),
        f"X = {100 * share}: the bound by presence satisfies (4.3)",
        "up to 5 earnings from 0 to 2, e^(−β) = 2/3, one more or less",
    )


@claim(
    "foote2019/eq-4.6-rank-by-presence",
    where="Section 4.2, (4.6) with Definition 2.2, read on the line between order statistics",
    says="When a row is added or removed, (4.6) on the line satisfies (4.3).",
    origin="ours",
)
def presence_moves_the_rank_between_the_windows() -> Verdict:
    """A row more moves the rank by X/100 as well, so that the windows at M and at M + X/100 do not lie in
    each other, however far k goes. A row more or less moves the percentile to Q(M ± s) at most, Q the line
    and s = max(X, 100 − X)/100; with that step in place of 1, and lists of other lengths, the largest local
    sensitivity at distance k has a closed form of the same kind, exact for lists of
    N ≥ k + 1/min(X/100, 1 − X/100); with the whole range for farther ones it is a smooth upper bound.
    """
    half, discount = Fraction(1, 2), Fraction(9, 10)
    one, two = (0,), (0, 1)
    return fails(
        exact.compare(
            int(PresenceOfOne(range(TOP + 1), 0, 2).related(one, two)), "==", 1, f"{one}, {two}: neighbors"
        ),
        *(
            exact.compare(
                discount * on_line(one, rank(1, half), discount, most),
                ">",
                on_line(two, rank(2, half), discount, most),
                f"X = 50, e^(−β) = 9/10, k up to {most}: e^(−β)·(4.6) at the first against the second",
            )
            for most in (2, 4)
        ),
        _by_presence(half, 4, 2, 3),
        _by_presence(Fraction(1, 3), 4, 1, 3),
        _by_presence(Fraction(3, 4), 5, 1, 2),
        *(_a_smooth_bound(share) for share in (half, Fraction(3, 4))),
        counterexample="(0) and (0, 1), range 0 to 2, X = 50, e^(−β) = 9/10: (4.6) on the line is "
        f"{on_line(one, rank(1, half), discount, 4)} and {on_line(two, rank(2, half), discount, 4)}, more "
        "than a factor 10/9 apart",
        value="the same windows for a step of max(X, 100 − X)/100 instead of 1, over lists of other lengths",
    )
