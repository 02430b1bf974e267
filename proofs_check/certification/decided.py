"""What was drawn for each cell, decided again: the quantile of the specification at the same drawn words.

A mechanism's output is a function of the cell and of the word drawn for it: it is the whole number k at
which P(output < k) < p ≤ P(output ≤ k) by the law of the specification, for p in [word, word + 1]/2^64. So a
cell shows by itself whether what runs is what is specified, at any magnitude: no sample and no threshold is
needed, and any change that one of the cells meets is seen. Laws are enclosed in balls that get narrower until
they decide, by formulas that share nothing with the samplers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from establish.impl.arrays import Integers
from establish.impl.mechanisms.truncated_laplace import TruncatedLaplace
from establish.impl.publish.sidecar import CUT
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.grid import REACH
from establish.proofs_check.certification.subject import SEED, told
from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import ARB, Number, enclosing
from establish.spec.mechanisms.truncated_laplace import TruncatedLaplaceMechanism
from establish.spec.mechanisms.whole_staircase import WholeStaircaseMechanism

LARGEST = 2**52
"""The largest count."""

CELLS = 5_000
"""So many cells have random magnitudes in one check, of which every mechanism on counts has two or more."""

MANY = (1, 1, 2, 3, 50)
"""Into how many establishments a count is divided."""

HALF = Fraction(1, 2)

PRECISIONS = (128, 256, 1024)
"""Of the balls, in bits. What none of them decides is not shown to be drawn."""

Cell = tuple[int, int, int, int]
"""A count, its largest establishment, the word drawn for it, and what was released."""


def magnitudes(number: int, seed: int) -> tuple[Integers, Integers]:
    """Counts and their largest establishments: small ones, powers of 2 and 10 and their neighbors, and others
    as likely at every magnitude up to 2^52; of one establishment, and of several equal ones.
    """
    rng = np.random.default_rng(seed)
    powers = [b**k for b, most in ((2, 52), (10, 15)) for k in range(most + 1)]
    near = {p + d for p in powers for d in (-1, 0, 1)}
    ends = np.array(sorted(n for n in {*range(12), *near} if 0 <= n <= LARGEST))
    drawn = np.floor(2.0 ** rng.uniform(0, 52, number)).astype(np.int64)
    counts = np.concatenate([ends, drawn])
    return counts, -(-counts // rng.choice(MANY, counts.size))


def sizes(count: int, largest: int) -> tuple[int, ...]:
    """Establishments of that size, and one of what is left, that make up the count."""
    many, rest = divmod(count, largest) if largest else (0, 0)
    return (*(largest,) * many, *((rest,) if rest or not many else ()))


@dataclass(frozen=True)
class Decider:
    """The specification of a mechanism at its parameters. cut: whether negative outputs become 0. unit: of
    the grid on which it answers.
    """

    specified: Any
    cut: bool
    unit: Fraction = Fraction(1)

    @classmethod
    def of(cls, runs: Any, specified: Any) -> Decider:
        """For what ``runs`` draws."""
        unit = Fraction(runs.grid.unit) if hasattr(runs, "answers") else Fraction(1)
        return cls(specified, CUT in runs.noise, unit)

    def is_drawn(self, cell: Cell) -> bool:
        """Whether what was released is certainly the quantile of the law at the drawn word."""
        for bits in PRECISIONS:
            with enclosing(bits):
                found = self._is_drawn(*cell)
            if found is not None:
                return found
        return False

    def _is_drawn(self, count: int, largest: int, word: int, released: int) -> bool | None:
        """None where no ball tells."""
        if self.cut and released < 0:
            return False
        law = self.law(count, largest)
        low, high = (ARB.number(Fraction(w, 2**64)) for w in (word, word + 1))
        at_least = released <= -REACH or (self.cut and released == 0)
        above = True if at_least else _is_less(self._below(law, released - 1), high)
        if above is not True:
            return above
        return True if released >= REACH else _is_less(low, self._below(law, released))

    def law(self, count: int, largest: int) -> Any:
        """The law of the output for such a cell, in balls."""
        if isinstance(self.specified, TruncatedLaplaceMechanism):  # the count is that of what is kept
            return replace(self.specified.output([], ARB), center=ARB.number(count))
        law = self.specified.output(sizes(count, largest), ARB)
        if self.unit == 1:
            return law
        unit = ARB.number(self.unit)
        return replace(law, mean=law.mean / unit, sd=law.sd / unit)

    def at_most(self, law: Any, k: int) -> Number:
        """P(output ≤ k)."""
        return ARB.number(0) if self.cut and k < 0 else self._below(law, k)

    def _below(self, law: Any, k: int) -> Number:
        """The same before outputs are cut."""
        if isinstance(self.specified, WholeStaircaseMechanism):
            return law.cdf(k)
        x, low = ARB.number(k + HALF), getattr(law, "low", None)
        return ARB.number(0) if low is not None and x <= low else law.cdf(x)


def _is_less(a: Number, b: Number) -> bool | None:
    """Whether a < b; None where balls overlap."""
    if a < b:
        return True
    return False if a >= b else None


def cells(runs: Any, number: int = CELLS, seed: int = SEED) -> Iterator[Cell]:
    """Cells of every magnitude, released at once from known words."""
    return _released(runs, *magnitudes(number, seed), seed)


def _released(runs: Any, counts: Integers, largest: Integers, seed: int) -> Iterator[Cell]:
    words = Bits.seeded(seed).words(counts.size)
    bits = Bits.seeded(seed)
    if hasattr(runs, "answers"):  # on a grid of its own; what is released is computed from it
        released = (runs.answers(counts.astype(np.float64), bits) / runs.grid.unit).astype(np.int64)
    elif isinstance(runs, TruncatedLaplace):
        released = runs.noisy(counts, bits)
    else:
        released = runs.release(counts, bits, largest)
    return zip(counts.tolist(), largest.tolist(), words.tolist(), released.tolist(), strict=True)


PLACES, AT_EACH = 16, 4
"""At so many parameters, so many cells each, a mechanism is decided all over its domain."""

SHOWING = 10
"""Counts of 2^10 and more: noise of a wrong scale shows in whole numbers."""


def decided_anywhere(made: Sequence[Any], specification: Callable[[Any], Any]) -> Evidence:
    """The same at parameters all over the domain, of which ``made`` has one mechanism each.

    So a branch for some parameters is seen, which the cells of its card do not meet. A branch for a single
    value of a parameter is not.
    """
    rng = np.random.default_rng(SEED)
    places = sorted(rng.permutation(len(made))[:PLACES].tolist())

    def every() -> Iterator[tuple[Any, Decider, Cell]]:
        for runs in (made[place] for place in places):
            counts = np.floor(2.0 ** rng.uniform(SHOWING, 52, AT_EACH)).astype(np.int64)
            decider = Decider.of(runs, specification(runs))
            for cell in _released(runs, counts, counts, int(rng.integers(2**32))):
                yield runs.parameters, decider, cell

    return exhaustive.for_all(
        every(),
        lambda case: case[1].is_drawn(case[2]),
        f"{made[0].name} ({made[0].calibration}) draws the quantile of the specification all over its domain",
        f"{AT_EACH} cells of random magnitude up to 2^52 at each of {len(places)} parameters",
    )


def decided(runs: Any, specified: Any, number: int = CELLS) -> Evidence:
    """Evidence that every cell that was drawn is the quantile of the specification at its word."""
    decider = Decider.of(runs, specified)
    return exhaustive.for_all(
        cells(runs, number),
        decider.is_drawn,
        f"{told(runs)} draws the quantile of the specification at the same words, cell by cell",
        f"{number} cells of random magnitude up to 2^52, and small counts, powers of 2 and 10 and their "
        "neighbors; one and many establishments",
    )
