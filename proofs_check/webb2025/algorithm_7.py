"""Appendix A.4, Algorithm 7: establishments from county × NAICS-6 cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from establish.proofs_check.methods import exact, exhaustive
from establish.proofs_check.register import claim
from establish.proofs_check.verdicts import Verdict, holds, ill_posed
from establish.spec.synthetic.divider import divided_as_published
from establish.spec.synthetic.microdata import (
    Draws,
    Totals,
    establishments,
    keys_as_published,
)

F = Fraction
CELLS = "1 to 3 establishments, draws 0…1, totals 0…3 (month 2 one more), offsets 0 and 1/2"


@claim(
    "webb2025/alg-7-keys",
    where="Appendix A.4, Algorithm 7, lines 3, 12 and 14",
    says="primary_key identifies each establishment.",
)
def keys_count_from_one() -> Verdict:
    """Before each cell n is the number of establishments so far; the cell's keys are n + 1, …, n + d."""

    def counted(counts: tuple[int, ...]) -> bool:
        keys = [key for cell in keys_as_published(counts) for key in cell]
        return keys == list(range(1, sum(counts) + 1))

    return holds(
        exhaustive.for_all(
            (counts for size in range(4) for counts in product(range(4), repeat=size)),
            counted,
            "the keys are 1, 2, …, up to the number of establishments",
            "up to 3 cells of 0…3 establishments",
        )
    )


def _cells() -> Iterator[tuple[Totals, Draws]]:
    for d in (1, 2, 3):
        for g, total, half in product(product((F(0), F(1)), repeat=d), range(4), (F(0), F(1, 2))):
            cell = Totals(d, total, total + 1, total, 1000 * total)
            noise = tuple(F(j - 1) for j in range(d))
            yield cell, Draws(g, g[::-1], g, noise, (half,) * 4)


def _kept(case: tuple[Totals, Draws]) -> bool:
    cell, draws = case
    rows = establishments(cell, draws)
    sums = [
        sum(getattr(row, name) for row in rows)
        for name in ("month_1", "month_2", "month_3", "wages")
    ]
    values = [value for row in rows for value in vars(row).values()]
    return sums == [cell.month_1, cell.month_2, cell.month_3, cell.wages] and all(
        isinstance(value, int) and value >= 0 for value in values
    )


@claim(
    "webb2025/alg-7-totals",
    where="Appendix A.4, Algorithm 7, lines 5–9",
    says="The establishments' employment and wages are those of their cell.",
)
def totals_are_kept_in_whole_numbers() -> Verdict:
    """Lines 7–9 keep the sums as real numbers, for cells that have an establishment (alg-6-sum). As whole
    numbers they are kept by cumulative rounding, and month 2, which line 13 draws for each
    establishment on its own, by dividing the cell's month 2 with those draws as weights.
    """
    half = divided_as_published([F(1), F(1)], F(3))
    return ill_posed(
        exact.compare(half[0].denominator, "!=", 1, "the denominator of 3 jobs in two equal parts"),
        exhaustive.for_all(_cells(), _kept, "as corrected all four totals are kept", CELLS),
        condition="a cell with employment has an establishment, and parts are rounded cumulatively",
        counterexample="3 jobs, 2 establishments, p = (1/2, 1/2): 3/2 jobs each",
    )


STATES = {"01001": "AL", "01003": "AL", "44001": "RI", "44003": "RI"}
"""Counties by their five-digit code (FIPS), with their state: Autauga, Baldwin, Bristol and Kent."""


def _states_of(key: Callable[[str], str]) -> dict[str, set[str]]:
    """The states of the counties that have the same key."""
    return {key(code): {STATES[c] for c in STATES if key(c) == key(code)} for code in STATES}


@claim(
    "webb2025/alg-7-state",
    where="Appendix A.4, Algorithm 7, line 17, against Table 4",
    says="state can be extracted from cnty, a numeric value that is numbered within each state.",
)
def county_numbers_repeat() -> Verdict:
    """Numbered within each state, county 1 is in nearly every state: no function of cnty gives the state. The
    five-digit code, state and county number together, does: its first two digits.
    """
    numbers, prefixes = _states_of(lambda code: code[2:]), _states_of(lambda code: code[:2])
    return ill_posed(
        exact.compare(
            min(map(len, numbers.values())), "==", 2, "states with county 1, and with county 3"
        ),
        exhaustive.for_all(
            prefixes.values(),
            lambda states: len(states) == 1,
            "the first two digits of the five give the state",
            "four counties of Alabama and Rhode Island",
        ),
        condition="cnty is the five-digit code of state and county",
        counterexample="cnty 1: 01001 lies in Alabama, 44001 in Rhode Island",
    )
