"""Cells that add up: industries in NAICS prefixes, areas in a state."""

from collections.abc import Sequence
from typing import Any

import pytest

from establish.spec.disclosure_limitation import hierarchy

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


@pytest.mark.parametrize("chain", CHAINS)
def test_an_industry_is_part_of_the_one_with_a_digit_less_of_a_sector_or_of_the_total(chain):
    assert [hierarchy.naics_parent(code) for code in chain] == [*chain[1:], None]


def test_three_sectors_span_several_codes():
    span = {31: "31-33", 32: "31-33", 33: "31-33", 44: "44-45", 45: "44-45", 48: "48-49", 49: "48-49"}
    for number in range(11, 100):
        assert hierarchy.SECTORS_OF_SEVERAL_CODES.get(str(number)) == span.get(number)
        assert hierarchy.naics_parent(str(number)) == hierarchy.ALL_INDUSTRIES


def _above(cell: Any) -> Sequence[Any]:
    """A county's industry is part of the state's industry, and of the county's total; "-" stands for all."""
    county, industry = cell
    return (("-", industry) if county != "-" else None, (county, "-") if industry != "-" else None)


@pytest.mark.parametrize("leaves", [(first, second, 1, 5) for first in range(3) for second in range(3)])
def test_every_sum_of_two_industries_in_two_counties_is_found_and_true(leaves):
    names = [(county, industry) for county in "AB" for industry in "12"]
    values: dict[Any, int] = dict(zip(names, leaves, strict=True))
    for way in ("A", "B"):
        values[way, "-"] = sum(v for (c, i), v in zip(names, leaves, strict=True) if c == way)
    for way in ("1", "2"):
        values["-", way] = sum(v for (c, i), v in zip(names, leaves, strict=True) if i == way)
    values["-", "-"] = sum(leaves)
    found = hierarchy.sums_over(values, _above)
    assert all(values[whole] == sum(values[part] for part in parts) for whole, parts in found)
    assert all(len(parts) == 2 for _, parts in found)
    wholes = [("-", "1"), ("-", "2"), ("-", "-"), ("-", "-"), ("A", "-"), ("B", "-")]
    assert sorted(str(whole) for whole, _ in found) == sorted(map(str, wholes))
