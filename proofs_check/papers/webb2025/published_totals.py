"""Tables 8 and 9: the rows of each table sum the same establishments, employment and wages."""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from establish import Every, Verdict, claim, exact, exhaustive, fails, holds

HALF = Fraction(1, 2)
"""Half a unit: means, medians and standard deviations are printed as integers."""


class Summary(NamedTuple):
    """One variable over the cells of a level, as printed."""

    least: int
    median: int
    most: int
    mean: int
    deviation: int


class Level(NamedTuple):
    """A level: its aggregation code, its number of cells, and n, employment and wages per cell."""

    code: int
    cells: int
    variables: tuple[Summary, ...]


NAMES = ("n", "employment", "wages")
"""The variables of a level, in the order of the tables."""

_NEW_JERSEY = """
52 2: 28476 103884 179292 103884 106643; 389796 1513961 2638126 1513961 1589809;
 56870451 65671540 74472630 65671540 12446620
53 10: 250 22542 44429 20777 14141; 3457 236286 648521 302792 245261;
 1164792 5928548 51028965 13134308 16676271
54 22: 67 5070 29073 9444 9538; 1261 97925 561919 137633 129971;
 34977 2829067 24074883 5970140 7101329
55 74: 1 641 29073 2808 5253; 9 18359 298154 40918 61407; 97 596856 19955782 1774906 3123361
56 258: 1 144 16950 805 1716; 1 3679 200556 11736 21559; 39 161771 9017144 509082 1250695
57 571: 1 79 16950 364 1075; 1 1530 200556 5303 14205; 39 40925 8276039 230023 747805
58 853: 1 33 8172 244 692; 0 819 140800 3550 10231; 0 21351 8276039 153978 591643
71 21: 999 9385 28689 9894 6968; 15581 157835 370634 144187 103475;
 938253 5954245 16382122 6254432 5017341
73 208: 1 676 6170 999 1069; 5 6844 99154 14557 18051; 279 131295 9177485 631457 1344169
74 454: 1 177 4146 458 638; 1 3280 77820 6669 9323; 56 77536 8096919 289302 777652
75 1324: 1 33 4146 157 348; 0 694 44129 2287 4458; 5 13925 8096919 99202 440438
76 3992: 1 12 2110 52 121; 0 209 28438 758 1704; 0 3920 5935630 32902 201878
77 8026: 1 7 2110 26 79; 0 84 25265 377 1159; 0 1180 5935630 16365 137917
78 10067: 1 5 1289 21 55; 0 63 25265 301 933; 0 834 5929093 13047 120849
"""

_RHODE_ISLAND = """
52 2: 4439 12710 20981 12710 11697; 57050 188016 318981 188016 185213;
 5985933 5989127 5992321 5989127 4517
53 10: 47 2994 4903 2542 1570; 297 34772 100286 37603 30426;
 64248 548588 5309640 1197825 1606737
54 22: 14 687 3272 1155 1165; 111 14654 79298 17092 17778; 35043 240442 3079880 544466 769112
55 68: 4 109 2986 374 634; 8 2604 42028 5530 7873; 104 73695 1250070 176151 247533
56 224: 1 32 2409 113 227; 1 674 36147 1679 3292; 27 19038 670281 53474 104387
57 484: 1 16 2409 53 144; 1 200 36147 777 2278; 1 4243 670281 24748 71079
58 663: 1 10 1144 38 94; 1 147 20274 567 1617; 1 2604 670281 18067 58239
71 5: 1102 3354 14414 5084 5340; 10955 38191 237653 75206 92665;
 699819 1959523 4255187 2395651 1470599
73 50: 1 274 2764 508 634; 1 2936 68784 7521 12431; 1232 63424 2346055 239565 432476
74 107: 1 104 1957 238 384; 1 1462 54369 3514 6694; 87 25122 1314614 111946 241131
75 303: 1 17 1698 84 197; 0 328 22958 1241 2834; 0 6722 1175186 39532 109617
76 854: 1 8 1323 30 73; 0 104 19551 440 1204; 0 2232 510039 14026 48852
77 1620: 1 4 1323 16 49; 0 42 19551 232 861; 0 702 510039 7394 34446
78 1996: 1 4 610 13 34; 0 35 12845 188 674; 0 498 510039 6001 30892
"""


def _levels(text: str) -> dict[int, Level]:
    levels = {}
    for code, cells, rest in re.findall(r"^(\d+) (\d+):((?:.*\n)(?: .*\n)*)", text, re.MULTILINE):
        parts = [Summary(*map(int, part.split())) for part in rest.split(";")]
        levels[int(code)] = Level(int(code), int(cells), tuple(parts))
    return levels


TABLES = {8: _levels(_NEW_JERSEY), 9: _levels(_RHODE_ISLAND)}
"""Table 8 (synthetic New Jersey) and Table 9 (synthetic Rhode Island) as printed, by aggregation code."""

ESTABLISHMENTS = {8: 207_768, 9: 25_420}
"""The numbers of establishments in the captions."""


Relation = tuple[str, bool]
"""A relation that the printed numbers must satisfy, in words, and whether they do."""


def one_variable(row: Summary, cells: int) -> Iterator[Relation]:
    """Order; |mean − median| ≤ deviation; and how far the extremes can be from the mean.

    The deviation has the divisor cells − 1, so that the squared deviations add up to (cells − 1)·s². They are
    at most cells·(most − mean)(mean − least), as each (most − x)(x − least) ≥ 0. They are at least
    (most − mean)²·cells/(cells − 1), the others at their common mean, and likewise for the minimum. The mean
    differs from the median by at most the deviation with divisor cells.
    """
    yield "minimum ≤ median", row.least <= row.median
    yield "median ≤ maximum", row.median <= row.most
    low = max(row.deviation - HALF, Fraction(0)) ** 2 * (cells - 1)
    high = (row.deviation + HALF) ** 2 * (cells - 1)
    means = row.mean - HALF, row.mean + HALF
    most = max((row.most - mean) * (mean - row.least) for mean in means)
    yield "the deviation is not too large for the range", low <= cells * most
    for end, name in ((row.most - means[1], "maximum"), (means[0] - row.least, "minimum")):
        enough = end <= 0 or cells * end**2 <= (cells - 1) * high
        yield f"the deviation is not too small for the {name}", enough
    gap = max(abs(row.mean - row.median) - HALF, Fraction(0))
    yield "the median is near the mean", cells * gap**2 <= high


def _two_cells(row: Summary) -> Iterator[Relation]:
    """With two cells mean and median are the half sum, the deviation is the range over √2."""
    half_sum = Fraction(row.least + row.most, 2)
    square = Fraction((row.most - row.least) ** 2, 2)
    yield "the half sum and the mean", abs(half_sum - row.mean) <= HALF
    yield "the half sum and the median", abs(half_sum - row.median) <= HALF
    within = (row.deviation - HALF) ** 2 <= square <= (row.deviation + HALF) ** 2
    yield "range²/2 and the deviation", within


def _total(level: Level, domains: Level, number: int) -> Relation:
    """The level's cells × mean against the sum over the two domains, up to the rounding."""
    both = domains.variables[number].least + domains.variables[number].most
    room = (level.cells + 2) * HALF
    found = level.cells * level.variables[number].mean
    return f"cells × the mean of {NAMES[number]}", abs(found - both) <= room


COARSER = {
    53: (52,),
    54: (53,),
    55: (54,),
    56: (55,),
    57: (56,),
    58: (57,),
    73: (71, 53),
    **{code: (code - 1, code - 20) for code in range(74, 79)},
}
"""The levels whose cells are unions of the cells of a level."""


def _squares(row: Summary, cells: int, sign: int) -> Fraction:
    """The least (sign −1) or greatest (1) sum of the squares, (cells − 1)·s² + cells·mean², before
    rounding.
    """
    deviation, mean = (max(Fraction(0), value + sign * HALF) for value in (row.deviation, row.mean))
    return (cells - 1) * deviation**2 + cells * mean**2


def _nested(level: Level, coarser: Level) -> Iterator[Relation]:
    """Parts of a cell are more and smaller: no fewer cells, no greater minimum or maximum, and no
    greater sum of squares, as a² + b² ≤ (a + b)² for values of at least 0.
    """
    yield f"cells of the coarser {coarser.code}", level.cells >= coarser.cells
    for row, whole in zip(level.variables, coarser.variables, strict=True):
        yield f"minimum of the coarser {coarser.code}", row.least <= whole.least
        yield f"maximum of the coarser {coarser.code}", row.most <= whole.most
        parts, wholes = _squares(row, level.cells, -1), _squares(whole, coarser.cells, 1)
        yield f"squares of the coarser {coarser.code}", parts <= wholes


FINER = {code: tuple(fine for fine, above in COARSER.items() if code in above) for code in TABLES[8]}
"""The levels whose cells are parts of the cells of a level."""


def relations(table: int, level: Level) -> Iterator[Relation]:
    """Every relation of a row to the rest of its table, and to the number in the caption."""
    domains = level if level.code == 52 else TABLES[table][52]
    for number, row in enumerate(level.variables):
        yield _total(level, domains, number)
        yield from one_variable(row, level.cells)
        if level.cells == 2:
            yield from _two_cells(row)
    for above in COARSER.get(level.code, ()):
        yield from _nested(level, TABLES[table][above])
    for below in FINER[level.code]:
        yield from _nested(TABLES[table][below], level)
    count = level.cells * level.variables[0].mean
    near = abs(count - ESTABLISHMENTS[table]) <= level.cells * HALF
    yield "cells × mean of n, and the caption", near


SHARES = (Fraction(4, 5), Fraction(6, 5))
"""By which factors the power of the relations is measured."""


def noticed(table: int, code: int, field: str) -> tuple[int, int]:
    """(how many changes of a statistic by 20% break a relation, how many change it at all)."""
    level = TABLES[table][code]
    found = tried = 0
    for number, share in product(range(len(NAMES)), SHARES):
        row = level.variables[number]
        changed = row._replace(**{field: round(getattr(row, field) * share)})
        if changed == row:
            continue
        rows = (*level.variables[:number], changed, *level.variables[number + 1 :])
        tried += 1
        found += not all(true for _, true in relations(table, level._replace(variables=rows)))
    return found, tried


def power(field: str) -> tuple[int, int]:
    """`noticed` over all rows of both tables."""
    rows = [noticed(table, code, field) for table, levels in TABLES.items() for code in levels]
    return sum(found for found, _ in rows), sum(tried for _, tried in rows)


def _rows() -> list[tuple[int, int]]:
    """Every table with every level."""
    return [(table, code) for table, levels in TABLES.items() for code in levels]


def _fits(row: tuple[int, int]) -> bool:
    """The printed statistics of the row are possible together, with the other rows and with the caption."""
    table, code = row
    return all(true for _, true in relations(table, TABLES[table][code]))


CONSISTENT = Every("table and aggregation level", cases=_rows, holds=_fits)


@claim(
    "webb2025/tab-8-9",
    where="Tables 8 and 9",
    says="The statistics of each of the 28 rows are consistent with each other, the other rows and the "
    "caption.",
    states=CONSISTENT,
    origin="ours",
)
def rows_are_consistent() -> Verdict:
    """Cells × mean is the total, which is the same at every level and known from the two domains, up to
    half a unit for each cell. Minimum, median and maximum are in order; range, mean, median and
    deviation are possible together; for two cells all are determined. Coarser levels, whose cells are
    unions of these, have no more cells, no smaller minima or maxima and no smaller sums of squares. This
    says that the rows are consistent, not that they were computed from the data, which are not
    published: the condition tells which changes are noticed.
    """
    powers = {name: power(name) for name in Summary._fields}
    told = ", ".join(f"{name} {found} of {tried}" for name, (found, tried) in powers.items())
    return holds(
        exhaustive.each(CONSISTENT, "the printed numbers of Tables 8 and 9"),
        condition=f"consistent; changes by 20% that are noticed: {told}",
    )


LEVELS = tuple((table, code) for table in TABLES for code in (55, 56, 57, 75, 76, 77))


def _from_one_to_a_thousand(place: tuple[int, int]) -> bool:
    table, code = place
    counts = TABLES[table][code].variables[0]
    return counts.least == 1 and counts.most > 1000


RANGE = Every("table and level", lambda: LEVELS, _from_one_to_a_thousand)
OTHERS = Every(
    "table and level", lambda: (place for place in LEVELS if place != (9, 55)), _from_one_to_a_thousand
)


@claim(
    "webb2025/appC-range",
    where="Appendix C",
    says="At NAICS 3-, 4- and 5-digit levels, for the state and for counties, the cells have from 1 to over "
    "1,000 establishments.",
    states=RANGE,
    tight=OTHERS,
)
def smallest_industry_of_rhode_island_has_four() -> Verdict:
    """True for every such row but one: the least cell of Rhode Island's state 3-digit level has 4."""
    return fails(
        exact.refuted(RANGE, case=(9, 55)),
        exhaustive.each(OTHERS, "the other 11 rows of Tables 8 and 9"),
        counterexample="Table 9, State NAICS 3-digit (55): minimum 4",
        value="true for the other 11 of 12 rows",
    )
