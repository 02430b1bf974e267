"""Few bins or equal gaps: what each class draws, and what picks it."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import ceil, inf

import numpy as np

from establish.impl.earnings.bins import percentages
from establish.impl.earnings.bins_or_gaps import (
    CLASSES,
    GAPS,
    GAPS_AT_LEAST,
    GAPS_FROM,
    LARGE,
    STARTS,
    BinsOrGaps,
    spending,
)
from establish.impl.earnings.equal_gaps import equal_gaps
from establish.impl.earnings.histogram import protected
from establish.impl.sampling.bits import Bits
from establish.proofs_check.certification.earnings import law_of, ratio, total_masses
from establish.proofs_check.certification.equal_gaps import gaps_conform, gaps_enclose, places_conform
from establish.proofs_check.certification.readings import (
    earnings_stated,
    fitted_law_conforms,
    public_laws_conform,
    readings_conform,
)
from establish.proofs_check.certification.subject import SEED, Case
from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.methods.statistical import follows_discrete_law
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import MP
from establish.spec.distributions import geometric

SHARES = percentages((25, 50, 75))

DRAWS = 200_000
"""Cells of one record."""


def _start(place: int, epsilon: Fraction) -> int:
    """The least total of a class of bins, by the documented multiples of E|K|."""
    size = geometric.mean_absolute(ratio(epsilon * spending(place)[1]))
    return ceil(float(STARTS[place - 1] * size))


def _picks(epsilon: str) -> bool:
    mechanism = BinsOrGaps(epsilon, SHARES)
    starts = [_start(place, mechanism.epsilon) for place in range(1, len(CLASSES))]

    def meant(total: int) -> int:
        enough = mechanism.epsilon < LARGE or total >= GAPS_AT_LEAST
        if enough and mechanism.epsilon * total >= GAPS_FROM:
            return GAPS
        return sum(total >= start for start in starts)

    totals = np.arange(-5, 6_000)
    return bool(mechanism.pick(totals).tolist() == list(map(meant, totals.tolist())))


def picks_conform() -> Evidence:
    """Evidence that the class of every noisy total is the documented one."""
    return exhaustive.for_all(
        ("1/10", "1/3", "1", "2", "4"),
        _picks,
        "bins-or-gaps picks the class that ε and the noisy total have by its constants",
        "noisy totals from −5 to 5999, five ε",
    )


def counts_conform() -> Evidence:
    """Evidence that released counts have the noise of all bins of the class that the noisy total picks."""
    mechanism, reach = BinsOrGaps(2, SHARES), 150
    released = mechanism.release(np.arange(DRAWS), np.full(DRAWS, 40_000.0), DRAWS, Bits.seeded(SEED))
    first = [_start(place, mechanism.epsilon) for place in range(1, len(CLASSES))]
    last = ceil(GAPS_FROM / mechanism.epsilon)
    noise = ratio(mechanism.epsilon * spending(0)[0])

    def below(start: float) -> float:
        if start in (-inf, inf):
            return float(start > 0)
        return float(geometric.cdf(int(start) - 1 - 1, noise, MP))

    bounds = [-inf, *(min(start, last) for start in first), last]
    mixed = np.zeros(2 * reach + 1)
    for (start, end), few in zip(pairwise(bounds), CLASSES, strict=True):
        masses = total_masses(len(few.bins), mechanism.epsilon * spending(0)[1], reach)
        mixed += (below(end) - below(start)) * np.array(masses)
    assert released.picked is not None
    seen = released.count[released.picked < GAPS] - 1
    return follows_discrete_law(
        seen,
        law_of(-reach, (mixed / mixed.sum()).tolist()),
        1.0,
        f"{mechanism.name} (ε = 2) releases counts with the noise of the class that the noisy total picks",
    )


def gaps_spend_the_rest() -> Evidence:
    """Evidence that large cells are drawn by equal gaps, with what the total leaves of ε."""
    number, size = 3, 400
    mechanism = BinsOrGaps(2, SHARES)
    cells = np.repeat(np.arange(number), size)
    earned = np.tile(30_000 * 1.002 ** np.arange(size), number)

    def same(seed: int) -> bool:
        bits = Bits.seeded(seed)
        protected(np.full(number, size), mechanism.epsilon * spending(GAPS)[0], bits)
        counts, values = equal_gaps(mechanism.gaps, cells, earned, number, bits)
        released = mechanism.release(cells, earned, number, Bits.seeded(seed))
        return bool(
            np.array_equal(released.count, counts)
            and np.array_equal(released.percentiles.filled(0.0), values)
            and mechanism.gaps.epsilon == mechanism.epsilon * spending(GAPS)[1]
        )

    return exhaustive.for_all(
        range(4),
        same,
        "bins-or-gaps draws large cells by equal gaps, from the bits after the noisy totals",
        f"four seeds, {number} cells of {size} records, ε = 2",
    )


CASES = tuple(
    Case(
        BinsOrGaps.name,
        (
            "establish.impl.earnings.bins_or_gaps",
            *(
                f"establish.spec.earnings.{name}"
                for name in ("bins", "chosen_by_size", "equal_gaps", "histogram", "percentiles")
            ),
        ),
        BinsOrGaps(1, SHARES).rests_on,
        conforms,
    )
    for conforms in (
        picks_conform,
        counts_conform,
        gaps_spend_the_rest,
        places_conform,
        gaps_enclose,
        gaps_conform,
        readings_conform,
        public_laws_conform,
        fitted_law_conforms,
        earnings_stated,
    )
)
