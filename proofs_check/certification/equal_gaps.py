"""Percentiles and the count in one draw: what runs, against the law of the specification."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import accumulate, product

import flint
import numpy as np

from establish.impl.earnings.bins import percentages
from establish.impl.earnings.equal_gaps import Blocks, Cell, EqualGaps, Gaps, Totals, equal_gaps
from establish.impl.earnings.public_law import PER_DOLLAR, PLACES, PublicLaw
from establish.impl.sampling.bits import Bits
from establish.proofs_check.certification.readings import earnings_stated, public_laws_conform
from establish.proofs_check.certification.subject import SEED, Case
from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.methods.statistical import follows_discrete_law
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import ARB, MP, enclosing
from establish.spec.earnings import equal_gaps as specified

BITS = 512
"""The precision at which laws are compared."""

SMALL = PublicLaw(np.array([0, 2, 4, 6]), np.array([1, 2, 3]))
"""Places 1 to 6 with weights 1, 1, 2, 2, 3, 3."""

Setting = tuple[tuple[int, ...], str, tuple[int, ...]]
"""Percentiles, ε, and the places of the records."""

SETTINGS: tuple[Setting, ...] = (
    ((25, 50, 75), "2", ()),
    ((25, 50, 75), "2", (3,)),
    ((25, 50, 75), "2", (1, 3, 3, 5)),
    ((25, 50, 75), "5", (2, 2, 2, 2, 2)),
    ((10,), "1", (1, 3, 5)),
    ((10, 90), "3/2", (0, 1, 4, 6)),
)

LOOKED_AT = "lists of percentiles and records, six places of three weights, 12 totals"

DRAWS, RELEASED = 4_000, 50
"""Draws of a cell of one record in the statistical check, and such cells of a release, each drawn again."""

Outcome = tuple[int, tuple[int, ...]]
"""A total in steps, and the slot of each percentile."""


def _of(setting: Setting) -> tuple[Cell, dict[Outcome, flint.arb]]:
    """What runs, and the law of the specification by slots, totals cut off where e^(−200) is left."""
    shares, epsilon, places = percentages(setting[0]), Fraction(setting[1]), setting[2]
    cell = Cell(Gaps(shares, epsilon, SMALL), np.array(places, dtype=np.int64))
    totals = range(0, len(places) + int(400 / epsilon), cell.gaps.step)
    half, fractions = ARB.exp(-ARB.number(epsilon / 2)), [Fraction(a, b) for a, b in shares]
    law = specified.EqualGaps(range(1, 7), [1, 1, 2, 2, 3, 3], fractions, totals, half, ARB)
    slots = {y: cell.below.tolist().index(sum(place < y for place in places)) for y in range(1, 7)}
    masses: dict[Outcome, flint.arb] = defaultdict(lambda: flint.arb(0))
    for (total, drawn), chance in law.output(places).items():
        masses[total // cell.gaps.step, tuple(slots[int(y)] for y in drawn)] += chance
    return cell, masses


def _mass(law: Totals | Blocks, k: int) -> flint.arb:
    (low, high), (low_before, high_before) = law.cumulative(0, k), law.cumulative(0, k - 1)
    found: flint.arb = low.union(high) - low_before.union(high_before)
    return found


def _drawn(cell: Cell, total: int) -> Iterator[tuple[Outcome, flint.arb]]:
    """Every list of slots with this total, by the laws of its draws one after another."""
    waiting: list[tuple[tuple[int, ...], flint.arb]] = [((), _mass(Totals(cell), total))]
    while waiting:
        slots, chance = waiting.pop()
        left = len(cell.gaps.shares) - len(slots)
        if not left:
            yield (total, slots), chance
            continue
        law = Blocks(cell, total, slots)
        for slot in range(slots[-1] + 1 if slots else 0, cell.below.size):
            for less in range(left):
                mass = _mass(law, slot * law.base + less)
                waiting.append(((*slots, *[slot] * (less + 1)), chance * mass))


def _encloses(setting: Setting) -> bool:
    """Every outcome with up to 12 steps has its mass but for 10^−25, and nothing else has any."""
    with enclosing(BITS):
        cell, masses = _of(setting)
        tiny, found = flint.arb(10) ** -25, dict[Outcome, flint.arb]()
        for total in range(12):
            found |= dict(_drawn(cell, total))
        meant = {outcome: mass for outcome, mass in masses.items() if outcome[0] < 12}
        return all(
            bool(abs(found.get(outcome, flint.arb(0)) - meant.get(outcome, flint.arb(0))) < tiny)
            for outcome in {*found, *meant}
        )


def _continues(setting: Setting) -> bool:
    """Whether a first slot that is drawn once weighs as much as all that can follow it, at every total.

    What was left out of the sums is a weight, too, so that it is not enough if their ratios are right.
    """
    with enclosing(BITS):
        cell, _ = _of(setting)
        for total, slot in product(range(12), range(cell.below.size)):
            begin = Blocks(cell, total, ())
            first, through, _ = begin._read()
            place = (slot - first) * begin.base
            _, follows, _ = Blocks(cell, total, (slot,))._read()
            share = flint.arb(int(cell.masses[slot])) / cell.gaps.law.whole
            if not (through[place + 1] - through[place]).overlaps(follows[-1] * share):
                return False
        return True


def gaps_enclose() -> Evidence:
    """Evidence that the sums that are drawn from are those of the specification."""
    return exhaustive.for_all(
        SETTINGS,
        _encloses,
        "the chain of sums gives the law of the specification, outcome by outcome",
        f"{len(SETTINGS)} {LOOKED_AT}",
    )


def gaps_continue() -> Evidence:
    """Evidence that sums of one draw are weights in the sums of the draw before, as what is left out is."""
    several = [setting for setting in SETTINGS if len(setting[0]) > 1]
    return exhaustive.for_all(
        several,
        _continues,
        "every link of the chain weighs what can follow it",
        f"{len(several)} {LOOKED_AT}",
    )


@cache
def gaps_conform() -> Evidence:
    """Evidence that released totals have their law: the only record is above all candidates.

    A cell keeps the sums from which it draws, so that many draws of one are quick.
    """
    law = PublicLaw(PLACES * np.array([1, 2, 4]), np.array([1, 3]))
    gaps = Gaps(percentages((25, 50, 75)), Fraction(2), law)
    bits, earned = Bits.seeded(SEED), np.full(RELEASED, 9.0)
    cell = Cell(gaps, gaps.law.places(earned, bits.words(RELEASED))[:1])
    totals = np.array([cell.draw(bits)[0] for _ in range(DRAWS)])
    released, _ = equal_gaps(gaps, np.arange(RELEASED), earned, RELEASED, Bits.seeded(SEED))
    shares = [Fraction(a, b) for a, b in gaps.shares]

    def mass(total: int) -> float:
        *before, last = specified.aims(shares, total)
        return float(MP.exp(-MP.number(sum(map(abs, before), abs(1 - last)))))

    masses = [mass(total) for total in range(0, 100, gaps.step)]
    through = list(accumulate(mass / sum(masses) for mass in masses))
    found = follows_discrete_law(
        totals // gaps.step,
        lambda k: through[min(int(k), len(through) - 1)] if k >= 0 else 0.0,
        1.0,
        "equal-gaps (ε = 2) releases totals with the law of the specification",
    )
    if np.array_equal(released, totals[:RELEASED]):
        return found
    return replace(found, established=False, witness="a release has other totals than its cells draw")


def places_conform() -> Evidence:
    """Evidence that a place is within its cent, kept within the law, and that weights are counted."""
    law = PublicLaw.log_normal()
    spread = np.array([0, 1, PLACES - 1, 2**63], dtype=np.uint64)

    def kept(amount: float) -> bool:
        places = law.places(np.full(4, amount), spread)
        low, high = (int(end) for end in law.knots[[0, -1]])
        first = min(max(round(amount * 100) * PLACES, low), high)
        return bool(places.tolist() == [min(first + k, high) for k in (0, 1, PLACES - 1, 0)])

    def counted(share: int) -> bool:
        weight = law.whole * share // 1000
        place = law.place_at(weight)
        before, upto = law.through(np.array([place - 1, place]))
        return bool(before <= weight < upto)

    small = SMALL.through(np.arange(7)).tolist() == [0, 1, 2, 4, 6, 9, 12]
    return exhaustive.for_all(
        (0, 20_000.004, 59_999.99, 10**7, *range(1000)),
        lambda case: small and (counted(case) if case < 1000 else kept(float(case)) and kept(0.0)),
        "places are within their cents and the law, and their weights are those of the law",
        f"five amounts, 1,000 shares of the weight, {PER_DOLLAR} places in a dollar",
    )


CASES = tuple(
    Case(
        EqualGaps.name,
        (
            "establish.impl.earnings.equal_gaps",
            "establish.impl.earnings.public_law",
            "establish.spec.earnings.equal_gaps",
        ),
        EqualGaps(1, percentages((25, 50, 75))).rests_on,
        conforms,
    )
    for conforms in (
        places_conform,
        gaps_enclose,
        gaps_continue,
        gaps_conform,
        public_laws_conform,
        earnings_stated,
    )
)
