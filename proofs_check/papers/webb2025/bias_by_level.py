"""Table 3: what its rows say of each other, and of the bias of the two mechanisms."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from establish import Every, Verdict, claim, exact, exhaustive, fails, holds, not_checkable
from establish.proofs_check.engine.statements import EveryCase
from establish.proofs_check.papers.webb2025.published_totals import HALF, SHARES, TABLES


class Quartiles(NamedTuple):
    """One mechanism in one row: quartiles and mean of the signed differences, as printed."""

    first: int
    median: int
    mean: int
    third: int

    @property
    def spread(self) -> int:
        """The interquartile range."""
        return self.third - self.first


Row = tuple[Quartiles, Quartiles]
"""The √-mechanism and the pnc-mechanism."""

Rows = Mapping[str, Row]

ROWS: Rows = {
    "state total": (Quartiles(-6198, -6198, -6198, -6198), Quartiles(-118, -118, -118, -118)),
    "state supersector": (Quartiles(-1083, -293, -563, -233), Quartiles(-100, -48, -11, 24)),
    "state NAICS-5": (Quartiles(-32, -9, -9, 8), Quartiles(-14, -1, 0, 12)),
    "county total": (Quartiles(-420, -252, -4604, -143), Quartiles(-64, -11, -4331, 27)),
    "county supersector": (Quartiles(-69, -18, -419, 16), Quartiles(-43, -4, -394, 30)),
    "county NAICS-5": (Quartiles(-7, -1, -10, 4), Quartiles(-6, -1, -9, 5)),
}
"""Table 3 as printed; a mean of −0 is 0."""

TOTALS = tuple(of.mean for of in ROWS["state total"])
"""The state is one group, so its mean difference is the sum itself."""

MOST = 2 * max(abs(total) for total in TOTALS) + 2
"""A mean that is printed as −1 or more in size has more groups than that only with a greater sum."""


def reaches(total: int, mean: int, groups: int) -> bool:
    """Whether ``groups`` numbers with that rounded mean can have that rounded sum."""
    return abs(total - groups * mean) <= (groups + 1) * HALF


def _adds_up(name: str) -> EveryCase:
    """The row's mean times some number of groups is the sum of the state, for both mechanisms at once."""
    means = [of.mean for of in ROWS[name]]
    return Every(
        f"reading of the row '{name}'",
        lambda: ((TOTALS, means),),
        lambda row: any(
            all(reaches(total, mean, k) for total, mean in zip(*row, strict=True)) for k in range(1, MOST)
        ),
    )


ADDS_UP = {name: _adds_up(name) for name in ROWS if name != "state total"}
"""Numbers of groups up to MOST are enough: with more, a sum of means of at least 1 in size is too large, and
for a mean of 0 more groups only widen what is possible."""


def _count(groups: int, name: str, rows: Rows = ROWS) -> bool:
    """Whether that number of groups fits both mechanisms in the row."""
    pairs = zip(rows["state total"], rows[name], strict=True)
    return all(reaches(state.mean, of.mean, groups) for state, of in pairs)


ELEVEN = Every(
    "number of groups", lambda: range(1, MOST), lambda k: _count(k, "state supersector") == (k == 11)
)
CODES = Every(
    "number of groups", lambda: range(1, MOST), lambda k: _count(k, "state NAICS-5") == (653 <= k <= 729)
)
"""The numbers of supersectors and of NAICS-5 codes with which the state's rows add up."""


def row_does_not_add_up(name: str) -> Verdict:
    """All differences come from one microdata set, in which the groups of a row add up to the state. A mean
    of −4,604 over k counties is a sum of −4,604k ± k/2: −4,604 or at most −9,207, never −6,198; under pnc
    the means are −4,331, the state differs by −118. By supersector and county −419 and −394 reach neither.
    """
    means = [of.mean for of in ROWS[name]]
    statement = ADDS_UP[name]
    return fails(
        exact.refuted(statement, case=(TOTALS, means)),
        counterexample=f"√: mean {means[0]}, state {TOTALS[0]}; pnc: {means[1]} and {TOTALS[1]}",
        condition="the groups of the row partition the state",
    )


for _name, _label in (("county total", "county"), ("county supersector", "county-supersector")):
    claim(
        f"webb2025/tab-3-{_label}",
        where="Table 3",
        says=f"The state's differences are the sums over the groups of the row '{_name}': groups × mean.",
        states=ADDS_UP[_name],
        origin="implied",
    )(partial(row_does_not_add_up, _name))


@claim(
    "webb2025/tab-3-county-naics-5",
    where="Table 3",
    says="The state's differences are the sums over its NAICS-5 cells by county: cells × mean.",
    states=ADDS_UP["county NAICS-5"],
    origin="implied",
)
def mechanisms_need_different_numbers_of_cells() -> Verdict:
    """Means of −10 have the sum −6,198 for 591 to 652 cells, means of −9 have −118 for 13: no number
    does both. The row of the state's own NAICS-5 codes needs at least 653 of them, and cells by county
    are not fewer.
    """
    name = "county NAICS-5"
    return fails(
        exact.refuted(ADDS_UP[name], case=(TOTALS, [of.mean for of in ROWS[name]])),
        counterexample="√: −6,198 at mean −10 needs 591 to 652 cells; pnc: −118 at mean −9 needs 13",
        condition="the cells of the row partition the state",
    )


def _changes(rows: Rows) -> Iterator[tuple[str, Rows]]:
    """Each printed number of the rows changed by 20%, one by one, with the name of its statistic."""
    for name, row in rows.items():
        for at, field in ((at, field) for at in range(len(row)) for field in Quartiles._fields):
            for share in SHARES:
                value = getattr(row[at], field)
                if (new := round(value * share)) != value:
                    changed = list(row)
                    changed[at] = row[at]._replace(**{field: new})
                    yield field, {**rows, name: (changed[0], changed[1])}


def power(rows: Rows, true: Callable[[Rows], bool]) -> str:
    """For each statistic, how many of the changes are noticed: those after which it is no longer true."""
    seen = {field: [0, 0] for field in Quartiles._fields}
    for field, changed in _changes(rows):
        seen[field][0] += not true(changed)
        seen[field][1] += 1
    return ", ".join(f"{field} {found} of {tried}" for field, (found, tried) in seen.items())


STATE_ROWS = ("state supersector", "state NAICS-5")


def _fitting(name: str, rows: Rows, most: int = MOST) -> list[int]:
    """The numbers of groups below ``most`` with which the row adds up to the state."""
    return [k for k in range(1, most) if _count(k, name, rows)]


def power_of_state_rows() -> str:
    """Noticed is a change after which other numbers of groups fit, of those up to twice as many."""
    printed = {name: _fitting(name, ROWS) for name in STATE_ROWS}
    return power(
        {name: ROWS[name] for name in ("state total", *STATE_ROWS)},
        lambda rows: all(_fitting(n, rows, 2 * fits[-1]) == fits for n, fits in printed.items()),
    )


@claim(
    "webb2025/tab-3-state",
    where="Table 3",
    says="The state's differences are the sums over its supersectors, and over its NAICS-5 codes.",
    states=(*(ADDS_UP[name] for name in STATE_ROWS), ELEVEN, CODES),
    origin="implied",
)
def state_rows_add_up() -> Verdict:
    """−563k ± k/2 = −6,198 and −11k ± k/2 = −118 have k = 11 in common, and no other. For NAICS-5 −9k ± k/2
    = −6,198 leaves 653 to 729 codes, and 0 ± k/2 = −118 at least 235.
    """
    return holds(
        *(exhaustive.each(ADDS_UP[name], "the printed row") for name in STATE_ROWS),
        exhaustive.each(ELEVEN, "numbers of groups"),
        exhaustive.each(CODES, "numbers of groups"),
        condition="consistent with 11 supersectors and 653 to 729 NAICS-5 codes; changes by 20% that are "
        f"noticed: {power_of_state_rows()}",
    )


LAST = "county NAICS-5"


def _nearer(name: str, rows: Rows = ROWS) -> bool:
    """Whether under pnc the mean is nearer to 0, the median is, and the quartiles are closer together."""
    root, pnc = rows[name]
    if name == LAST:  # only the mean is
        same = abs(pnc.median) == abs(root.median) and pnc.spread == root.spread
        return abs(pnc.mean) < abs(root.mean) and same
    less = abs(pnc.median) < abs(root.median) and pnc.spread <= root.spread
    narrower = pnc.spread < root.spread or name == "state total"
    return abs(pnc.mean) < abs(root.mean) and less and narrower


NEARER = Every("row", lambda: ROWS, _nearer)


@claim(
    "webb2025/tab-3-bias",
    where="Section 8.1, on Table 3",
    says="Table 3 shows greater accuracy and less bias with the pnc-mechanism.",
    states=NEARER,
)
def differences_are_nearer_to_zero_under_pnc() -> Verdict:
    """The mean, which is the bias, is nearer to 0 in all six rows: −118 for −6,198 in the state, but −4,331
    for −4,604 in the counties and −9 for −10 in their NAICS-5 cells. The median is nearer and the quartiles
    are closer together in every row but the last, where both are the same: −1, and 11 apart.
    """
    return holds(
        exhaustive.each(NEARER, "the six rows of Table 3"),
        condition="by the means; by medians and quartiles the county NAICS-5 row is the same for both. "
        "Changes of a number by 20% that are noticed: "
        + power(ROWS, lambda rows: all(_nearer(name, rows) for name in rows)),
    )


NO_COARSER = Every(
    "table (supersectors, NAICS sectors)",
    lambda: tuple((TABLES[table][53].cells, TABLES[table][54].cells) for table in (8, 9)),
    lambda cells: cells[0] >= cells[1],
)
"""Supersectors are no coarser than NAICS sectors, each of which is one or more 2-digit prefixes."""


@claim(
    "webb2025/sec8.1-remaining-bias",
    where="Section 8.1, on Table 3",
    says="Some bias is still present with the pnc-mechanism because the identity query must be answered by "
    "the ψ-mechanism.",
)
def nothing_public_tells_the_sources_of_the_bias_apart() -> Verdict:
    """Three sources are possible: weights from the estimated variances of the identity answers (Section 7),
    the noise of the pnc answers, whose variance depends on the same identity answers, and clipping, which
    lowers every sum (webb2025/sec4-unbiased). The largest means of the table, −4,331 and −394, do not add up
    to the state's −118 (webb2025/tab-3-county), so that they do not measure any of the three.
    """
    return not_checkable(
        "the confidential microdata of Table 3, or its bias with known variances of the identity answers"
    )


@claim(
    "webb2025/tab-3-supersector",
    where="Table 3, caption; Section 8.1",
    says="Supersectors are essentially 2-digit NAICS prefixes.",
    states=NO_COARSER,
    origin="implied",
)
def supersectors_are_coarser_than_sectors() -> Verdict:
    """Table 8 counts 10 supersectors and 22 NAICS sectors for New Jersey, Table 9 the same for Rhode Island;
    a NAICS sector is a 2-digit prefix, or two or three of them (31–33, 44–45, 48–49).
    """
    return fails(
        exact.refuted(NO_COARSER, case=(10, 22)), counterexample="Table 8: 10 supersectors, 22 NAICS sectors"
    )
