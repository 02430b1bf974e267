"""Footnote 18: bins that are equally likely leave the fewest bins empty."""

from establish import Evidence, Integer, Verdict, claim, holds, rules, solver, symbolic
from establish.proofs_check.engine.statements import LeastAtEqualShares
from establish.spec.arithmetic import Number, World
from establish.spec.earnings.bins import empty

EQUAL_IS_LEAST = LeastAtEqualShares(Integer("N", least=1), term=lambda c, size, share: empty(share, size, c))
"""The mean number of bins that are empty in a cell of N, over all shares that M bins may have."""


def equal_is_least() -> Evidence:
    """By the tangent of (1 − p)^N at p = 1/M, which lies below it by induction on N."""

    def slope(c: World, size: Number, bins: Number) -> Number:
        return -size * c.power(1 - 1 / bins, size - 1)

    def factor(c: World, size: Number, bins: Number, share: Number) -> Number:
        return 1 - share

    def square(c: World, size: Number, bins: Number, share: Number) -> Number:
        return size * c.power(1 - 1 / bins, size - 1) * c.power(share - 1 / bins, 2)

    tangent = rules.tangent_of(EQUAL_IS_LEAST, slope)
    first, allowed, step = rules.base_and_step(tangent, "N", factor)
    equal, positive = rules.gap_of(step, square)
    stepped = rules.by_gap(step, square, symbolic.proves(equal), solver.proves(positive))
    below = rules.by_induction(tangent, "N", factor, solver.proves(first), solver.proves(allowed), stepped)
    return rules.by_tangent(EQUAL_IS_LEAST, slope, below)


@claim(
    "foote2019/fn18-empty-bins",
    where="Section 4.1.1, footnote 18",
    says="Bins in which a randomly chosen observation is equally likely to land decrease the number of bins "
    "with no observations.",
    states=EQUAL_IS_LEAST,
    tight=EQUAL_IS_LEAST,
)
def equally_likely_bins_are_empty_least_often() -> Verdict:
    """A bin of share p is empty with probability (1−p)^N in a cell of N, and the mean number of empty bins
    is the sum over the bins. With a = 1 − 1/M the tangent at a lies below: (1−p)^N ≥ a^N + N·a^(N−1)·(1−p−a).
    Summed over the bins the linear parts cancel, since the shares add up to 1: the mean is at least
    M·(1 − 1/M)^N, which equal shares attain. In cells of 30 that is 4.9 of 21; of 21 even bins 13.8 are
    empty on average.
    """
    return holds(
        equal_is_least(),
        value="at least M·(1−1/M)^N bins of M are empty on average, attained by equal shares",
        condition="the mean number; observations are independent draws",
    )
