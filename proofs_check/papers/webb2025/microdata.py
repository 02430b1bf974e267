"""Appendix A.4, Algorithm 7: establishments from county × NAICS-6 cells: their totals and variables."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from establish import Below, Equal, Every, Integer, Verdict, claim, exact, exhaustive, ill_posed, solver
from establish.proofs_check.engine.statements import given
from establish.spec.synthetic.divider import divided_as_published
from establish.spec.synthetic.microdata import Draws, Totals, establishments, key

F = Fraction
CELLS = "1 to 3 establishments, draws 0…1, totals 0…3 (month 2 one more), offsets 0 and 1/2"


_BEFORE, _SIZE = Integer("before", least=0), Integer("d", least=1)

KEYS = (
    Below(
        _BEFORE,
        Integer("j", least=1),
        Integer("further", least=1),
        left=lambda c, before, j, further: key(before, j),
        right=lambda c, before, j, further: key(before, j + further),
    ),
    Below(
        _BEFORE,
        _SIZE,
        Integer("j", least=1, most=lambda c, before, d: d),
        Integer("between", least=0),
        Integer("j'", least=1),
        left=lambda c, before, d, j, between, other: key(before, j),
        right=lambda c, before, d, j, between, other: key(before + d + between, other),
    ),
)
"""The keys of a cell rise, and are below those of a later cell."""


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


_NUMBERS = tuple(Integer(name, least=1, most=999) for name in ("number", "number'"))

BY_NUMBER = Equal(
    *(Integer(name, least=1, most=56) for name in ("state", "state'")),
    *_NUMBERS,
    left=lambda c, state, other, number, another: state,
    right=lambda c, state, other, number, another: other,
    given=[
        given(
            lambda c, state, other, number, another: number,
            "==",
            lambda c, state, other, number, another: another,
        )
    ],
)
"""Counties that have one number within their states are in one state."""

BY_CODE = Below(
    Integer("state", least=1, most=55),
    Integer("state'", least=lambda c, state: state + 1, most=56),
    *_NUMBERS,
    left=lambda c, state, other, number, another: 1000 * state + number,
    right=lambda c, state, other, number, another: 1000 * other + another,
)
"""The five-digit codes of the counties of two states differ: those of the later state are larger."""


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


TABLE_4 = _names(
    "year qtr state cnty naics naics5 naics4 naics3 sector supersector own m1emp m2emp m3emp wage "
    "primary_key can_agg rectype"
)
"""The variables of Table 4."""

SET_BY_LINE = {
    "7–10": _names("m1emp m3emp wage cnty"),
    "11–13": _names("naics primary_key m2emp"),
    "16": _names("supersector sector naics3 naics4 naics5"),
    "17": _names("state"),
    "18": _names("year qtr own can_agg rectype"),
}
"""The variables that the lines of Algorithm 7 set; those of line 18 are constants."""


COLUMNS = Every(
    "variable of Table 4 or of Algorithm 7",
    lambda: sorted(TABLE_4.union(*SET_BY_LINE.values())),
    lambda name: (
        name in TABLE_4
        and sum(name in names for names in SET_BY_LINE.values()) == 1
        and len(TABLE_4) == 18
        and len(SET_BY_LINE["18"]) == 5
    ),
)
"""Each is listed and set once; they are 18, five of them constant."""


@claim(
    "webb2025/alg-7-columns",
    where="Appendix A.4, Algorithm 7, lines 3, 12, 14 and 17 and result; Appendix A and Table 4",
    says="The result has the 18 variables of Table 4, five of them constant; primary_key identifies each "
    "establishment; state can be extracted from cnty, a numeric value that is numbered within each state.",
    states=(COLUMNS, *KEYS, BY_NUMBER),
    meant=(COLUMNS, *KEYS, BY_CODE),
)
def county_numbers_repeat() -> Verdict:
    """Table 4 lists 18 variables, as Appendix A says; Algorithm 7 sets each once, five in line 18. Before
    each cell n is the number of establishments so far; the cell's keys are n + 1, …, n + d. Numbered within
    each state, county 1 is in nearly every state: no function of cnty gives the state. The five-digit code,
    state and county number together, does: its first two digits.
    """
    return ill_posed(
        exact.refuted(BY_NUMBER, **{"state": 1, "state'": 44, "number": 1, "number'": 1}),
        *map(solver.proves, (*KEYS, BY_CODE)),
        exhaustive.each(COLUMNS, "the variables of Table 4 and of Algorithm 7"),
        condition="cnty is the five-digit code of state and county",
        counterexample="cnty 1: 01001 lies in Alabama, 44001 in Rhode Island",
    )
