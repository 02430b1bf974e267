"""Cells that add up: industries in NAICS prefixes, areas in a state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.statements import Every
from establish.proofs_check.engine.verdicts import Verdict, holds
from establish.spec.disclosure_limitation.hierarchy import (
    ALL_INDUSTRIES,
    SECTORS_OF_SEVERAL_CODES,
    naics_parent,
    sums_over,
)

PLACE = "Cell suppression: cells that add up"

CHAINS = (
    ("311811", "31181", "3118", "311", "31-33", "10"),
    ("325411", "32541", "3254", "325", "31-33", "10"),
    ("336111", "33611", "3361", "336", "31-33", "10"),
    ("441110", "44111", "4411", "441", "44-45", "10"),
    ("455110", "45511", "4551", "455", "44-45", "10"),
    ("481111", "48111", "4811", "481", "48-49", "10"),
    ("492110", "49211", "4921", "492", "48-49", "10"),
    ("111110", "11111", "1111", "111", "11", "10"),
    ("423110", "42311", "4231", "423", "42", "10"),
    ("921110", "92111", "9211", "921", "92", "10"),
)
"""Industries from six digits up, as the classification prints them."""


def _chains() -> Iterator[Sequence[str]]:
    yield from CHAINS


def _leads_up(chain: Sequence[str]) -> bool:
    parents = [naics_parent(code) for code in chain]
    return parents == [*chain[1:], None]


def _is_one_digit_shorter(chain: Sequence[str]) -> bool:
    return all(naics_parent(code) == code[:-1] for code in chain[:-1])


PARENTS = Every("chain of industries", _chains, _leads_up, wrong=_is_one_digit_shorter)


def _sectors() -> Iterator[str]:
    yield from (f"{number}" for number in range(11, 100))


def _spans_several_codes(code: str) -> bool:
    """The three sectors that span several codes: 31 to 33, 44 and 45, 48 and 49."""
    span = {31: "31-33", 32: "31-33", 33: "31-33", 44: "44-45", 45: "44-45", 48: "48-49", 49: "48-49"}
    expected = span.get(int(code))
    return SECTORS_OF_SEVERAL_CODES.get(code) == expected and naics_parent(code) == ALL_INDUSTRIES


SECTORS = Every("two digits", _sectors, _spans_several_codes)

Leaves = tuple[int, int, int, int]
"""Jobs of two industries in two counties of a state."""


def _tables() -> Iterator[Leaves]:
    for first in range(3):
        for second in range(3):
            yield first, second, 1, 5


def _above(cell: Any) -> Sequence[Any]:
    """A county's industry is part of the state's industry, and of the county's total; "-" stands for all."""
    county, industry = cell
    return (("-", industry) if county != "-" else None, (county, "-") if industry != "-" else None)


def _adds_up(leaves: Leaves) -> bool:
    """Whether every sum that is found is true of the table, has all parts, and all nine cells are there."""
    names = [(county, industry) for county in "AB" for industry in "12"]
    values: dict[Any, int] = dict(zip(names, leaves, strict=True))
    for way in ("A", "B"):
        values[way, "-"] = sum(v for (c, i), v in zip(names, leaves, strict=True) if c == way)
    for way in ("1", "2"):
        values["-", way] = sum(v for (c, i), v in zip(names, leaves, strict=True) if i == way)
    values["-", "-"] = sum(leaves)
    found = sums_over(values, _above)
    true = all(values[whole] == sum(values[part] for part in parts) for whole, parts in found)
    wholes = sorted(str(whole) for whole, _ in found)
    expected = [("-", "1"), ("-", "2"), ("-", "-"), ("-", "-"), ("A", "-"), ("B", "-")]
    return true and wholes == sorted(map(str, expected)) and all(len(p) == 2 for _, p in found)


def _has_one_part(leaves: Leaves) -> bool:
    return sum(leaves) == max(leaves)


SUMS = Every("table", _tables, _adds_up, wrong=_has_one_part)


@claim(
    "establish/cells-add-up-in-their-hierarchy",
    where=PLACE,
    says="An industry is part of the one with a digit less, of a sector of several codes, or of the total; "
    "the sums that are found are all of them, and are true of every table.",
    states=(PARENTS, SECTORS, SUMS),
)
def cells_add_up_in_their_hierarchy() -> Verdict:
    """Two counties and two industries with all totals have six sums: two by industry, two by county, and
    the state's total in both ways.
    """
    return holds(
        exhaustive.each(PARENTS, "ten industries from six digits to the total"),
        exhaustive.each(SECTORS, "all two-digit codes"),
        exhaustive.each(SUMS, "two counties, two industries, nine tables"),
    )
