"""Appendix A.4, Algorithm 7: establishments from county × NAICS-6 cells: their keys, totals and states."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from establish import Every, Verdict, claim, exact, exhaustive, holds, ill_posed
from establish.spec.synthetic.divider import divided_as_published
from establish.spec.synthetic.microdata import Draws, Totals, establishments, keys_as_published

F = Fraction
CELLS = "1 to 3 establishments, draws 0…1, totals 0…3 (month 2 one more), offsets 0 and 1/2"


KEYS = Every(
    "numbers of establishments by cell",
    lambda: (counts for size in range(4) for counts in product(range(4), repeat=size)),
    lambda counts: (
        [key for cell in keys_as_published(counts) for key in cell] == list(range(1, sum(counts) + 1))
    ),
)
"""The keys are 1, 2, …, up to the number of establishments."""


@claim(
    "webb2025/alg-7-keys",
    where="Appendix A.4, Algorithm 7, lines 3, 12 and 14",
    says="primary_key identifies each establishment.",
    states=KEYS,
)
def keys_count_from_one() -> Verdict:
    """Before each cell n is the number of establishments so far; the cell's keys are n + 1, …, n + d."""

    return holds(exhaustive.each(KEYS, "up to 3 cells of 0…3 establishments"))


def _cells() -> Iterator[tuple[Totals, Draws]]:
    for d in (1, 2, 3):
        for g, total, half in product(product((F(0), F(1)), repeat=d), range(4), (F(0), F(1, 2))):
            cell = Totals(d, total, total + 1, total, 1000 * total)
            noise = tuple(F(j - 1) for j in range(d))
            yield cell, Draws(g, g[::-1], g, noise, (half,) * 4)


def _kept(case: tuple[Totals, Draws]) -> bool:
    cell, draws = case
    rows = establishments(cell, draws)
    sums = [sum(getattr(row, name) for row in rows) for name in ("month_1", "month_2", "month_3", "wages")]
    values = [value for row in rows for value in vars(row).values()]
    return sums == [cell.month_1, cell.month_2, cell.month_3, cell.wages] and all(
        isinstance(value, int) and value >= 0 for value in values
    )


IN_WHOLE_NUMBERS = Every(
    "case (draws, total)",
    lambda: product(product((1, 2), repeat=2), range(4)),
    lambda case: all(
        part.denominator == 1 for part in divided_as_published([F(g) for g in case[0]], F(case[1]))
    ),
)
KEPT = Every("case (totals, draws)", _cells, _kept)


@claim(
    "webb2025/alg-7-totals",
    origin="implied",
    where="Appendix A.4, Algorithm 7, lines 5–9",
    says="The establishments' employment and wages are those of their cell.",
    states=IN_WHOLE_NUMBERS,
    meant=KEPT,
)
def totals_are_kept_in_whole_numbers() -> Verdict:
    """Lines 7–9 keep the sums as real numbers, for cells that have an establishment (alg-6-sum). As whole
    numbers they are kept by cumulative rounding, and month 2, which line 13 draws for each
    establishment on its own, by dividing the cell's month 2 with those draws as weights.
    """
    return ill_posed(
        exact.refuted(IN_WHOLE_NUMBERS, case=((1, 1), 3)),
        exhaustive.each(KEPT, CELLS),
        condition="a cell with employment has an establishment, and parts are rounded cumulatively",
        counterexample="3 jobs, 2 establishments, p = (1/2, 1/2): 3/2 jobs each",
    )


STATES = {"01001": "AL", "01003": "AL", "44001": "RI", "44003": "RI"}
"""Counties by their five-digit code (FIPS), with their state: Autauga, Baldwin, Bristol and Kent."""


BY_NUMBER = Every(
    "county number",
    lambda: sorted({code[2:] for code in STATES}),
    lambda number: len({STATES[code] for code in STATES if code[2:] == number}) == 1,
)
BY_CODE = Every(
    "five-digit code",
    lambda: sorted(STATES),
    lambda code: len({STATES[c] for c in STATES if c[:2] == code[:2]}) == 1,
)
"""The number, or the first two digits of the code, give one state."""


@claim(
    "webb2025/alg-7-state",
    where="Appendix A.4, Algorithm 7, line 17, against Table 4",
    says="state can be extracted from cnty, a numeric value that is numbered within each state.",
    states=BY_NUMBER,
    meant=BY_CODE,
)
def county_numbers_repeat() -> Verdict:
    """Numbered within each state, county 1 is in nearly every state: no function of cnty gives the state. The
    five-digit code, state and county number together, does: its first two digits.
    """
    return ill_posed(
        exact.refuted(BY_NUMBER, case="001"),
        exhaustive.each(BY_CODE, "four counties of Alabama and Rhode Island"),
        condition="cnty is the five-digit code of state and county",
        counterexample="cnty 1: 01001 lies in Alabama, 44001 in Rhode Island",
    )
