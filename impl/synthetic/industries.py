"""Sector and supersector of a NAICS code, as the Quarterly Census of Employment and Wages has them."""

from establish.impl.microdata.group_by import SECTORS

_SUPERSECTORS = {
    "1011": "11 21",
    "1012": "23",
    "1013": "31 32 33",
    "1021": "22 42 44 45 48 49",
    "1022": "51",
    "1023": "52 53",
    "1024": "54 55 56",
    "1025": "61 62",
    "1026": "71 72",
    "1027": "81",
    "1028": "92",
    "1029": "99",
}

SUPERSECTOR = {prefix: code for code, text in _SUPERSECTORS.items() for prefix in text.split()}
"""The supersector of each first two digits: BLS, QCEW high-level industries."""

SECTOR = {prefix: SECTORS.get(prefix, prefix) for prefix in SUPERSECTOR}
"""The NAICS sector of each first two digits; three sectors have two or three of them."""
