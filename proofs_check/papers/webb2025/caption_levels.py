"""Appendix B: the levels that its captions name, against Tables 8 and 9."""

from __future__ import annotations

from establish.proofs_check.engine.methods import exact, exhaustive
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.statements import Every
from establish.proofs_check.engine.verdicts import Outcome, Verdict, misprint
from establish.proofs_check.papers.webb2025.published_totals import TABLES

CODES = {"supersector": 53, "NAICS-5": 57, "supersector by county": 73, "NAICS-5 by county": 57}
"""The four distributions of Figure 5 with the aggregation levels that its caption gives them."""

BY_COUNTY = 20
"""From a level of the state to the same level by county: 53 and 73, 55 and 75 (Tables 8 and 9)."""


def _finer(codes: tuple[int, int]) -> bool:
    """Whether the level by county has more cells than that of the state, in both tables."""
    by_county, state = codes
    return all(levels[by_county].cells > levels[state].cells for levels in TABLES.values())


LEVEL_57 = Every("levels (5-digit NAICS by county, of the state)", lambda: ((57, 57),), _finer)
LEVEL_77 = Every("levels (5-digit NAICS by county, of the state)", lambda: ((77, 57),), _finer)
RIGHT_IS_COARSER = Every("levels (3-digit NAICS, by county)", lambda: ((55, 75),), _finer)
LEFT_IS_COARSER = Every("levels (3-digit NAICS by county, of the state)", lambda: ((75, 55),), _finer)


@claim(
    "webb2025/appB-level",
    where="Appendix B, Figure 5, caption",
    says="5-digit NAICS by county is aggregation level 57.",
    states=LEVEL_57,
    meant=LEVEL_77,
    tight=LEVEL_77,
)
def level_57_is_that_of_the_state() -> Verdict:
    """The caption gives 57 to 5-digit NAICS of the state as well, as do Tables 8 and 9; there the level by
    county is 77, with more cells.
    """
    right = CODES["NAICS-5"] + BY_COUNTY
    return misprint(
        exact.refuted(LEVEL_57, case=(57, 57)),
        exhaustive.each(LEVEL_77, "Tables 8 and 9"),
        reading="aggregation level 77",
        reading_is=Outcome.HOLDS,
        counterexample="the caption of Figure 5 and Tables 8 and 9: 57 is 5-digit NAICS of the state",
        value=str(right),
    )


@claim(
    "webb2025/appB-subdivided",
    where="Appendix B, on Figure 6",
    says="Each group of the right plot (3-digit NAICS by county) is subdivided in the left plot (3-digit "
    "NAICS).",
    states=RIGHT_IS_COARSER,
    meant=LEFT_IS_COARSER,
)
def the_left_plot_is_the_coarser_one() -> Verdict:
    """Groups that are subdivided become more and smaller. By county there are 1,324 groups for 74 in New
    Jersey and 303 for 68 in Rhode Island, the largest with fewer establishments: left and right are
    exchanged.
    """
    return misprint(
        exact.refuted(RIGHT_IS_COARSER, case=(55, 75)),
        exhaustive.each(LEFT_IS_COARSER, "Tables 8 and 9"),
        reading="each group of the left plot is subdivided in the right one",
        reading_is=Outcome.HOLDS,
        counterexample="Table 8: 74 groups in the left plot, 1,324 in the right one",
    )
