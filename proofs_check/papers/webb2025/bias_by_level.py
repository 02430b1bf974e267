"""Table 3: what its rows say of each other, and of the bias of the two mechanisms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import z3

from establish.proofs_check.engine.methods import exact, solver
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.verdicts import Verdict, fails, holds
from establish.proofs_check.papers.webb2025.published_totals import HALF, TABLES


@dataclass(frozen=True)
class Quartiles:
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

ROWS: dict[str, Row] = {
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

K = z3.Int("k")
"""The number of groups of a row."""


def reaches(total: int, mean: int, groups: int) -> bool:
    """Whether ``groups`` numbers with that rounded mean can have that rounded sum."""
    return abs(total - groups * mean) <= (groups + 1) * HALF


def _reaches(total: int, mean: int) -> z3.BoolRef:
    """The same for the unknown K."""
    return z3.And(2 * (total - K * mean) <= K + 1, 2 * (K * mean - total) <= K + 1)


def row_does_not_add_up(name: str) -> Verdict:
    """All differences come from one microdata set, in which the groups of a row add up to the state. A mean
    of −4,604 over k counties is a sum of −4,604k ± k/2: −4,604 or at most −9,207, never −6,198; under pnc
    the means are −4,331, the state differs by −118. By supersector and county −419 and −394 reach neither.
    """
    means = [of.mean for of in ROWS[name]]
    return fails(
        *(
            solver.for_all(
                [K >= 1],
                z3.Not(_reaches(total, mean)),
                f"no number k of groups with mean {mean} has the sum {total}, up to rounding",
            )
            for total, mean in zip(TOTALS, means, strict=True)
        ),
        counterexample=f"√: mean {means[0]}, state {TOTALS[0]}; pnc: {means[1]} and {TOTALS[1]}",
        condition="the groups of the row partition the state",
    )


for _name, _label in (("county total", "county"), ("county supersector", "county-supersector")):
    claim(
        f"webb2025/tab-3-{_label}",
        where="Table 3",
        says=f"The state's differences are the sums over the groups of the row '{_name}': groups × mean.",
    )(partial(row_does_not_add_up, _name))


@claim(
    "webb2025/tab-3-county-naics-5",
    where="Table 3",
    says="The state's differences are the sums over its NAICS-5 cells by county: cells × mean.",
)
def mechanisms_need_different_numbers_of_cells() -> Verdict:
    """Means of −10 have the sum −6,198 for 591 to 652 cells, means of −9 have −118 for 13: no number
    does both. The row of the state's own NAICS-5 codes needs at least 653 of them, and cells by county
    are not fewer.
    """
    root, pnc = (_reaches(t, of.mean) for t, of in zip(TOTALS, ROWS["county NAICS-5"], strict=True))
    return fails(
        solver.for_all([K >= 1, root], z3.And(K >= 591, K <= 652), "cells under √"),
        solver.for_all([K >= 1, pnc], K == 13, "cells under pnc"),
        counterexample="√: −6,198 at mean −10 needs 591 to 652 cells; pnc: −118 at mean −9 needs 13",
        condition="the cells of the row partition the state",
    )


@claim(
    "webb2025/tab-3-state",
    where="Table 3",
    says="The state's differences are the sums over its supersectors, and over its NAICS-5 codes.",
)
def state_rows_add_up() -> Verdict:
    """−563k ± k/2 = −6,198 and −11k ± k/2 = −118 have k = 11 in common, and no other. For NAICS-5 −9k ± k/2
    = −6,198 leaves 653 to 729 codes, and 0 ± k/2 = −118 at least 235.
    """
    sectors, codes = (
        z3.And(*(_reaches(t, of.mean) for t, of in zip(TOTALS, ROWS[name], strict=True)))
        for name in ("state supersector", "state NAICS-5")
    )
    return holds(
        solver.for_all([K >= 1], sectors == (K == 11), "supersectors, by both mechanisms"),
        solver.for_all(
            [K >= 1], codes == z3.And(K >= 653, K <= 729), "NAICS-5 codes, by both mechanisms"
        ),
        condition="with 11 supersectors and 653 to 729 NAICS-5 codes",
    )


@claim(
    "webb2025/tab-3-bias",
    where="Section 8.1, on Table 3",
    says="Table 3 shows greater accuracy and less bias with the pnc-mechanism.",
)
def differences_are_nearer_to_zero_under_pnc() -> Verdict:
    """The mean, which is the bias, is nearer to 0 in all six rows: −118 for −6,198 in the state, but −4,331
    for −4,604 in the counties and −9 for −10 in their NAICS-5 cells. The median is nearer and the quartiles
    are closer together in every row but the last, where both are the same: −1, and 11 apart.
    """
    last = "county NAICS-5"
    return holds(
        *(
            exact.compare(abs(pnc.mean), "<", abs(root.mean), f"{name}: the mean, pnc and √")
            for name, (root, pnc) in ROWS.items()
        ),
        *(
            exact.compare(
                abs(pnc.median), "==" if name == last else "<", abs(root.median), f"{name}: medians"
            )
            for name, (root, pnc) in ROWS.items()
        ),
        *(
            exact.compare(
                pnc.spread, "==" if name == last else "<", root.spread, f"{name}: the quartiles"
            )
            for name, (root, pnc) in ROWS.items()
            if name != "state total"
        ),
        condition="by the means; by medians and quartiles the county NAICS-5 row is the same for both",
    )


@claim(
    "webb2025/tab-3-supersector",
    where="Table 3, caption; Section 8.1",
    says="Supersectors are essentially 2-digit NAICS prefixes.",
)
def supersectors_are_coarser_than_sectors() -> Verdict:
    """Table 8 counts 10 supersectors and 22 NAICS sectors for New Jersey, Table 9 the same for Rhode Island;
    a NAICS sector is a 2-digit prefix, or two or three of them (31–33, 44–45, 48–49).
    """
    return fails(
        *(
            exact.compare(
                TABLES[table][53].cells, "<", TABLES[table][54].cells, f"Table {table}: the cells"
            )
            for table in TABLES
        ),
        counterexample="Table 8: 10 supersectors, 22 NAICS sectors",
    )
