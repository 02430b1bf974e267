"""Public code systems: which labels are codes, and which code each one is part of.

A system is a named rule with its source. It refuses what it cannot place, by name. Whether a code exists in
the list of a given year is not part of it.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from establish.spec.disclosure_limitation.hierarchy import (
    ALL_INDUSTRIES,
    SECTORS_OF_SEVERAL_CODES,
    naics_parent,
)
from establish.spec.parameters import ParameterError

SECTORS = (
    "11", "21", "22", "23", "31-33", "42", "44-45", "48-49", "51", "52", "53", "54", "55", "56", "61", "62",
    "71", "72", "81", "92", "99",
)  # fmt: skip
"""The sectors of NAICS, and 99, where agencies put establishments that are not classified."""

AUXILIARIES = "95"
"""A sector of County Business Patterns until 2002: auxiliaries, which NAICS puts in the sector they serve."""

DOMAINS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        ALL_INDUSTRIES: ("101", "102"),
        "101": ("1011", "1012", "1013"),
        "102": ("1021", "1022", "1023", "1024", "1025", "1026", "1027", "1028", "1029"),
        "1011": ("11", "21"),
        "1012": ("23",),
        "1013": ("31-33",),
        "1021": ("22", "42", "44-45", "48-49"),
        "1022": ("51",),
        "1023": ("52", "53"),
        "1024": ("54", "55", "56"),
        "1025": ("61", "62"),
        "1026": ("71", "72"),
        "1027": ("81",),
        "1028": ("92",),
        "1029": ("99",),
    }
)
"""The parts of all industries, of each domain and of each supersector of the QCEW."""

_OF_DOMAINS = {part: whole for whole, parts in DOMAINS.items() for part in parts}

NATION = "US000"
"""The code of the United States among the areas of the QCEW."""

LAST_STATE = "56"
"""The greatest code of a state; territories have greater ones, and national totals leave some of them out."""


@dataclass(frozen=True)
class CodeSystem:
    """A rule of adding up.

    what: the labels. source: where it is published. read: the code that a label writes; ParameterError, which
    says why, for none. whole: the code of everything. above: the code above a code, None for none; one that a
    table leaves out is passed over. ways: where codes add up to everything in several ways, those of each.
    """

    name: str
    what: str
    source: str
    read: Callable[[str], str]
    whole: str
    above: Callable[[str], str | None]
    ways: Mapping[str, frozenset[str]] = field(default_factory=dict)


def _industry(label: str, more: tuple[str, ...] = ()) -> str:
    """The code of a NAICS industry; a sector of several codes is named by both ends."""
    sector = SECTORS_OF_SEVERAL_CODES.get(label[:2], label[:2])
    known = sector in SECTORS or sector in more
    if label in SECTORS or label in more or (re.fullmatch("[0-9]{3,6}", label) and known):
        return label
    raise ParameterError(_why_no_industry(label, sector))


def _why_no_industry(label: str, sector: str) -> str:
    if label in SECTORS_OF_SEVERAL_CODES:
        return f"it is no code by itself: the sector is {sector}"
    if label == ALL_INDUSTRIES or label in _OF_DOMAINS:
        return "NAICS has no such code: 10, 101, 102 and 1011 to 1029 are those of the QCEW (qcew)"
    if re.fullmatch("[0-9]*[-/]+", label) and len(label) == 6:
        return "NAICS has no such code: County Business Patterns pads its codes (cbp)"
    if re.fullmatch("[0-9]{2,6}", label):
        return f"no sector of NAICS has the code {label[:2]}"
    return "a code has two to six digits, or is 31-33, 44-45 or 48-49"


def _of_qcew(label: str) -> str:
    return label if label in (ALL_INDUSTRIES, *_OF_DOMAINS) else _industry(label)


def _of_cbp(label: str) -> str:
    if label == _padded(ALL_INDUSTRIES):
        return ALL_INDUSTRIES
    digits = label.rstrip("-/")
    spans = {whole[:2]: whole for whole in SECTORS_OF_SEVERAL_CODES.values()}
    if len(label) == 6 and re.fullmatch("[0-9]{2,6}", digits):
        code = _industry(spans.get(digits, digits), (AUXILIARIES,))
        if label == _padded(code):
            return code
    raise ParameterError("a code is padded to six places: 11----, 113///, 1131//, 11311/, 113110")


def _padded(code: str) -> str:
    if code == ALL_INDUSTRIES:
        return "------"
    return f"{code[:2]}----" if len(code) == 2 or "-" in code else code.ljust(6, "/")


def _area(label: str) -> str:
    """State (two digits) or county (five); a county 000 is the whole state."""
    if label == NATION:
        return NATION
    if re.fullmatch("(?!00)([0-9]{2}|[0-9]{5})", label):
        return label.removesuffix("000") if len(label) == 5 else label
    if re.fullmatch("[0-9]|[0-9]{4}", label):
        raise ParameterError("a state has two digits and a county five: a leading zero may be lost")
    raise ParameterError("a code has two digits for a state, five for a county")


def _above_area(code: str) -> str | None:
    if len(code) == 5 and code != NATION:
        return code[:2]
    if code > LAST_STATE and code != NATION:
        return None
    return None if code == NATION else NATION


def _above_in_qcew(code: str) -> str | None:
    return None if code == ALL_INDUSTRIES else _OF_DOMAINS.get(code) or naics_parent(code)


NAICS = CodeSystem(
    "naics",
    "industries of NAICS",
    "Office of Management and Budget, North American Industry Classification System, United States",
    _industry,
    ALL_INDUSTRIES,
    naics_parent,
)

QCEW = CodeSystem(
    "qcew",
    "industries of the Quarterly Census of Employment and Wages",
    "Bureau of Labor Statistics, QCEW high-level industry crosswalk, "
    "www.bls.gov/cew/classifications/industry/industry-supersectors.htm",
    _of_qcew,
    ALL_INDUSTRIES,
    _above_in_qcew,
    MappingProxyType(
        {"by sector": frozenset(SECTORS), "by supersector and domain": frozenset(DOMAINS) - {ALL_INDUSTRIES}}
    ),
)

CBP = CodeSystem(
    "cbp",
    "industries of County Business Patterns",
    "Census Bureau, County Business Patterns, record layout of the county file, "
    "www.census.gov/programs-surveys/cbp/technical-documentation/records-layouts.html",
    _of_cbp,
    ALL_INDUSTRIES,
    naics_parent,
)

FIPS = CodeSystem(
    "fips",
    "states and counties",
    "FIPS 5-2 and 6-4 (now INCITS 38 and 31); 000 for a whole state as in the QCEW, "
    "www.bls.gov/cew/classifications/area-guide.htm",
    _area,
    NATION,
    _above_area,
)

CODE_SYSTEMS: Mapping[str, CodeSystem] = MappingProxyType({s.name: s for s in (NAICS, QCEW, CBP, FIPS)})
"""All of them, by the name that stands for the rule."""
