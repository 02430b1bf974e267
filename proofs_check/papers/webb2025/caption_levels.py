"""Appendix B: the levels that its captions name, against Tables 8 and 9."""

from itertools import product

from establish import Every, Outcome, Verdict, claim, exact, exhaustive, misprint
from establish.proofs_check.engine.statements.cases import EveryCase
from establish.proofs_check.papers.webb2025.published_totals import TABLES

CAPTION = {"supersector": 53, "NAICS-5": 57, "supersector by county": 73, "NAICS-5 by county": 57}
"""The four distributions of Figure 5 with the aggregation levels that its caption gives them."""

NAMED = {"supersector": 53, "NAICS-5": 57, "supersector by county": 73, "NAICS-5 by county": 77}
"""The levels that Tables 8 and 9 give them."""


def _finer(codes: tuple[int, int]) -> bool:
    """Whether the level by county has more cells than that of the state, in both tables."""
    by_county, state = codes
    return all(levels[by_county].cells > levels[state].cells for levels in TABLES.values())


AS_NAMED = Every("distribution of Figure 5", lambda: CAPTION, lambda name: CAPTION[name] == NAMED[name])
LEVEL_77 = Every("levels (5-digit NAICS by county, of the state)", lambda: ((77, 57),), _finer)
LEFT_IS_COARSER = Every("levels (3-digit NAICS by county, of the state)", lambda: ((75, 55),), _finer)

Establishment = tuple[str, str]
"""County and 3-digit NAICS prefix."""

LEFT, RIGHT = "prefix", "county and prefix"
"""What the groups of each plot of Figure 6 have in common, by the sentence that introduces it."""


def _share(places: tuple[Establishment, Establishment], what: str) -> bool:
    """Both are in one group."""
    parts = slice(1, 2) if what == LEFT else slice(0, 2)
    return places[0][parts] == places[1][parts]


def _subdivides(fine: str, coarse: str) -> EveryCase:
    """Whoever is together in a group of ``fine`` is so in ``coarse``."""
    places = tuple(product(("county 1", "county 2"), ("111", "112")))
    return Every(
        "pair of establishments (county, 3-digit NAICS prefix)",
        lambda: product(places, places),
        lambda pair: not _share(pair, fine) or _share(pair, coarse),
    )


LEFT_SUBDIVIDES, RIGHT_SUBDIVIDES = _subdivides(LEFT, RIGHT), _subdivides(RIGHT, LEFT)


@claim(
    "webb2025/appB",
    where="Appendix B, Figure 5, caption; on Figure 6",
    says="The distributions of Figure 5 are those by supersector (53), 5-digit NAICS (57), supersector by "
    "county (73) and 5-digit NAICS by county (57); each group of the right-most plot of Figure 6, by county, "
    "is subdivided in the left-most plot, by 3-digit NAICS prefix.",
    states=(AS_NAMED, LEFT_SUBDIVIDES),
    meant=(LEVEL_77, RIGHT_SUBDIVIDES),
    tight=LEVEL_77,
)
def a_level_is_printed_twice_and_two_plots_are_exchanged() -> Verdict:
    """The caption gives 57 to 5-digit NAICS of the state as well, as do Tables 8 and 9; there the level by
    county is 77, with more cells. The brackets of the sentence on Figure 6 give the right-most plot the
    prefixes alone, which the sentence before has on the left: left and right are exchanged. By county there
    are 1,324 groups for 74 in New Jersey and 303 for 68 in Rhode Island.
    """
    return misprint(
        exact.refuted(AS_NAMED, case="NAICS-5 by county"),
        exhaustive.each(LEVEL_77, "Tables 8 and 9"),
        exact.refuted(LEFT_SUBDIVIDES, case=(("county 1", "111"), ("county 2", "111"))),
        exhaustive.each(RIGHT_SUBDIVIDES, "two counties, two prefixes"),
        exhaustive.each(LEFT_IS_COARSER, "Tables 8 and 9"),
        reading="aggregation level 77; each group of the left plot is subdivided in the right one",
        reading_is=Outcome.HOLDS,
        counterexample="the caption of Figure 5 and Tables 8 and 9: 57 is 5-digit NAICS of the state; one "
        "prefix in two counties: together in the left plot of Figure 6, apart in the right one",
        value="77",
    )
