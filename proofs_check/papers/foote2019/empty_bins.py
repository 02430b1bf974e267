"""Footnote 18: bins that are equally likely leave the fewest bins empty."""

from __future__ import annotations

from fractions import Fraction

import z3

from establish.proofs_check.engine.methods import enclosure, solver
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.verdicts import Evidence, Verdict, aside, holds
from establish.spec.arithmetic import Number, World
from establish.spec.earnings.bins import (
    BOTTOM,
    STATED_MEAN,
    STATED_SD,
    TABLE_1,
    even_edges,
    log_normal_share,
)

BINS = len(TABLE_1) - 1
"""M = 21."""

SIZE = 30
"""The size of the cell in the example."""


def tangent_lies_below() -> tuple[Evidence, Evidence]:
    """x^N ≥ a^N + N·a^(N−1)·(x − a) for x, a ≥ 0 and N ≥ 1, by induction; power stands for a^(N−1)."""
    x, a, n, power = z3.Reals("x a N power")
    return (
        solver.for_all([x >= 0, a >= 0], x >= a + (x - a), "N = 1"),
        solver.for_all(
            [x >= 0, a >= 0, n >= 1, power >= 0],
            x * (power * (a + n * (x - a))) >= a * power * (a + (n + 1) * (x - a)),
            "x times the tangent at N is at least the tangent at N + 1",
        ),
    )


def _sums_cancel() -> Evidence:
    """Σ (x_j − a) = 0 for x_j = 1 − p_j, a = 1 − 1/M and Σ p_j = 1: the linear parts add up to nothing."""
    total, bins = z3.Reals("total M")
    return solver.for_all(
        [bins >= 1, total == 1], (bins - total) - bins * (1 - 1 / bins) == 0, "Σ (x_j − a) is 0"
    )


def _empty_even(c: World) -> Number:
    """The mean number of empty even bins, 21 from $10,000 to $614,597, in a cell of SIZE."""
    edges = even_edges(BOTTOM, TABLE_1[-1], BINS, c)
    below = [log_normal_share(edge, STATED_MEAN, STATED_SD, c) for edge in edges[:-1]]
    inside = 1 - below[0]
    shares = [(high - low) / inside for low, high in zip(below, [*below[1:], 1], strict=True)]
    return sum((c.power(1 - share, SIZE) for share in shares), c.number(0))


@claim(
    "foote2019/fn18-empty-bins",
    where="Section 4.1.1, footnote 18",
    says="Bins in which a randomly chosen observation is equally likely to land decrease the number of bins "
    "with no observations.",
)
def equally_likely_bins_are_empty_least_often() -> Verdict:
    """A bin of share p is empty with probability (1−p)^N in a cell of N, and the mean number of empty bins
    is the sum over the bins. With a = 1 − 1/M the tangent at a lies below: (1−p)^N ≥ a^N + N·a^(N−1)·(1−p−a).
    Summed over the bins the linear parts cancel, since the shares add up to 1: the mean is at least
    M·(1 − 1/M)^N, which equal shares attain. In cells of 30 that is 4.9 of 21; of 21 even bins 13.8 are
    empty on average.
    """
    return holds(
        *tangent_lies_below(),
        _sums_cancel(),
        aside(
            enclosure.compare(
                lambda c: BINS * c.power(1 - c.number(1) / BINS, SIZE),
                "<",
                enclosure.rational(5),
                "21 equally likely bins, cells of 30: mean number of empty ones",
            )
        ),
        aside(
            enclosure.compare(
                _empty_even,
                ">",
                enclosure.rational(Fraction(137, 10)),
                "21 even bins for log-normal earnings from $10,000 on, cells of 30",
            )
        ),
        value="at least M·(1−1/M)^N bins of M are empty on average, attained by equal shares",
        condition="the mean number; observations are independent draws",
    )
