"""Appendix C: what the text says about Tables 8 and 9, and about relative differences."""

from fractions import Fraction

from establish import Outcome, Verdict, aside, claim, exact, exhaustive, holds, misprint, symbolic
from establish.proofs_check.engine.statements import Equal, Every, Real
from establish.proofs_check.papers.webb2025.published_totals import TABLES

WIDE = Every(
    "table",
    lambda: TABLES,
    lambda table: (
        2 * sum(level.variables[0].deviation > level.variables[0].mean for level in TABLES[table].values())
        > len(TABLES[table])
    ),
)


MIDDLE = Equal(
    Real("low"),
    Real("high", least=lambda c, low: low),
    left=lambda c, low, high: low + (high - low) / 2,
    right=lambda c, low, high: (low + high) / 2,
)
"""The median of two numbers is their mean."""

TWO_CELLS = tuple(
    Equal(left=lambda c, table=table: c.number(TABLES[table][52].cells), right=2) for table in TABLES
)
"""Level 52 has two cells in both tables; level 51, the state, is one."""


@claim(
    "webb2025/appC-sd",
    where="Appendix C",
    says="In Tables 8 and 9 the standard deviation of establishments per cell exceeds their mean for most "
    "queries; the state total (51) and the state by domain (52) have one and two cells, so that mean and "
    "median over their cells are identical.",
    states=(WIDE, MIDDLE, *TWO_CELLS),
)
def deviation_exceeds_the_mean_for_most_queries() -> Verdict:
    """Count the rows of Tables 8 and 9 in which it does: 12 of 14 for New Jersey (not levels 53 and 71) and
    12 of 14 for Rhode Island (not 52 and 53). The median of two numbers is their half sum, which is their
    mean; of one number both are that number. Tables 8 and 9 print the two alike at level 52. But the text
    takes the mean of the absolute and the median of the relative difference: these two are not identical.
    """
    wide = {
        table: sum(n.deviation > n.mean for n in (level.variables[0] for level in levels.values()))
        for table, levels in TABLES.items()
    }
    return holds(
        exhaustive.each(WIDE, "Tables 8 and 9"),
        symbolic.proves(MIDDLE),
        *map(exact.decided, TWO_CELLS),
        *(
            exact.compare(levels[52].cells, "==", 2, f"cells of level 52, Table {table}")
            for table, levels in TABLES.items()
        ),
        *(
            aside(exact.compare(row.median, "==", row.mean, f"median and mean, Table {table}"))
            for table, levels in TABLES.items()
            for row in levels[52].variables
        ),
        value=", ".join(f"{wide[table]} of {len(levels)}" for table, levels in TABLES.items()),
        condition="mean and median of the same difference",
    )


SCALED = Equal(
    Real("x", above=0),
    Real("estimate", least=0),
    left=lambda c, x, estimate: c.absolute(x - estimate) / (x + 1),
    right=lambda c, x, estimate: c.absolute(x - estimate) / x,
)
"""|x − x̃|/(x + 1) is scaled by the original value."""


@claim(
    "webb2025/appC-relative",
    where="Appendix C and Section 1",
    says="The relative absolute difference is scaled by the original value, that is |x − x̃|/(x+1).",
    states=SCALED,
)
def relative_difference_divides_by_one_more() -> Verdict:
    """x + 1 is not the original value x, by which Section 1 divides. It keeps cells with x = 0 defined and
    understates the relative error of small cells: by half at x = 1.
    """
    return misprint(
        exact.refuted(SCALED, x=1, estimate=2),
        exact.compare(Fraction(abs(0 - 2), 0 + 1), "==", 2, "x = 0, x̃ = 2: |x − x̃|/(x+1)"),
        reading="scaled by the original value plus one",
        reading_is=Outcome.HOLDS,
        counterexample="x = 1, x̃ = 2: 1/2, not 1",
    )
