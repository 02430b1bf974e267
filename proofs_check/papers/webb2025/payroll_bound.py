"""Appendix A.2, Algorithm 4: an upper bound on a suppressed NAICS-4 payroll of a county."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from establish import Verdict, claim, exact, exhaustive, holds_loosely, ill_posed, solver
from establish.proofs_check.engine.statements import AtMost, Equal, Every, Real
from establish.spec.arithmetic import Number
from establish.spec.synthetic import UnsetError
from establish.spec.synthetic.county_wages import CountyPayroll, bound, bound_as_published

F = Fraction
FOUR = ("111a", "111b", "112a", "221a")
"""NAICS-4 codes of a small county: sector 11 with NAICS-3 111 and 112, sector 22 with 221."""

THREE = ("111", "112", "221")
SECTORS = ("11", "22")
CODES = (*FOUR, *THREE, *SECTORS)
UNIVERSE = "a county of 4, 3 and 2 codes, every pattern of suppression, unit payroll at one code"


def _payroll(paid: str) -> dict[str, Fraction]:
    """The payroll of every code when one NAICS-4 code pays 1 and the others 0."""
    return {code: F(paid.startswith(code)) for code in CODES}


def _published(paid: str, shown: frozenset[str]) -> CountyPayroll:
    true = _payroll(paid)
    four, three, sector = ({c: true[c] for c in level if c in shown} for level in (FOUR, THREE, SECTORS))
    return CountyPayroll(four, three, sector, F(1))


def _patterns() -> Iterator[frozenset[str]]:
    for bits in product((True, False), repeat=len(CODES)):
        yield frozenset(code for code, bit in zip(CODES, bits, strict=True) if bit)


def _cases() -> Iterator[tuple[str, str, frozenset[str]]]:
    """(suppressed NAICS-4 code, code that pays, what is shown)."""
    for shown, paid in product(_patterns(), FOUR):
        for code in FOUR:
            if code not in shown:
                yield code, paid, shown


def _both_suppressed(code: str, shown: frozenset[str]) -> bool:
    return code[:3] not in shown and code[:2] not in shown


OWN, REST, SHOWN, ALL = (Real(name, least=0) for name in ("own", "rest", "shown", "whole"))
"""Payroll of the suppressed code 111b, of what is hidden beside it, of what is shown, and of all."""


def _county(level: int, shown: Number, whole: Number) -> CountyPayroll:
    """A county in which the finest payroll that has 111b in it is of this level: 3, 2, or 1 for the county.

    whole: that payroll; shown: the published parts of it, together.
    """
    if level == 3:
        return CountyPayroll({"111a": shown}, {"111": whole}, {}, None)
    if level == 2:
        return CountyPayroll({}, {"112": shown}, {"11": whole}, None)
    return CountyPayroll({}, {}, {"22": shown}, whole)


AS_PRINTED = tuple(
    AtMost(
        OWN,
        SHOWN,
        ALL,
        left=lambda c, own, shown, whole: own,
        right=lambda c, own, shown, whole, level=level: bound("111b", _county(level, shown, whole)),
    )
    for level in (3, 2, 1)
)
SUMS = tuple(
    AtMost(
        OWN,
        REST,
        SHOWN,
        left=lambda c, own, rest, shown: own,
        right=lambda c, own, rest, shown, level=level: bound(
            "111b", _county(level, shown, own + rest + shown)
        ),
    )
    for level in (3, 2, 1)
)
"""u is at least the payroll of the cell: whatever is published, and where it adds up."""

ADDING_UP = Every(
    "case (code, the code that pays, what is shown)",
    _cases,
    lambda case: bound(case[0], _published(*case[1:])) >= _payroll(case[1])[case[0]],
    wrong=lambda case: bound(case[0], _published(*case[1:])) > _payroll(case[1])[case[0]],
)


def _bound(whole: Number, part: Number) -> Number:
    """u for 111b, with CBP.cntyN3.qp1 = ``whole``; CBP.cntyN4.qp1 is ``part`` for the rest of 111."""
    return bound_as_published("111b", CountyPayroll({"111a": part}, {"111": whole}, {}, None))


DECLARED_4 = Equal(
    *(Real(name, least=0) for name in ("whole", "part", "another")),
    left=lambda c, whole, part, another: _bound(whole, part),
    right=lambda c, whole, part, another: _bound(whole, another),
)
"""Two counties that agree but in CBP.cntyN4.qp1 have the same u."""

WITH_NAICS_4 = Equal(
    *(Real(name, least=0) for name in ("whole", "part")),
    left=lambda c, whole, part: _bound(whole, part),
    right=lambda c, whole, part: whole - part,
)


def _as_in_the_text(case: tuple[str, str, frozenset[str]]) -> bool:
    """Whether the lines give the maximum of the text."""
    published = _published(*case[1:])
    try:
        return bound_as_published(case[0], published) == bound(case[0], published)
    except UnsetError:
        return False


LINES_ARE_THE_TEXT = Every("case (code, the code that pays, what is shown)", _cases, _as_in_the_text)
LINES_4_TO_9 = Every(
    "case (code, the code that pays, what is shown)",
    lambda: (case for case in _cases() if not _both_suppressed(case[0], case[2])),
    _as_in_the_text,
    wrong=lambda case: bound(case[0], _published(*case[1:])) == _payroll(case[1])[case[0]],
)
"""Bounds are linear in the payrolls, so that payrolls of one code are enough."""

LINE_12_OVER_SECTORS = Equal(
    OWN,
    REST,
    SHOWN,
    left=lambda c, own, rest, shown: bound("111b", _county(1, shown, own + rest + shown)),
    right=lambda c, own, rest, shown: own + rest,
)
"""What the county pays beside the published sectors is what the suppressed ones pay."""


def _has_bound(published: tuple[bool, bool, bool]) -> bool:
    """Whether a cell has a bound, by what is published of its NAICS-3 code, its sector and its county."""
    three, sector, total = published
    parts = {"111": F(1)} if three else {}, {"11": F(1)} if sector else {}
    try:
        bound("111a", CountyPayroll({}, *parts, F(1) if total else None))
    except UnsetError:
        return False
    return True


ALWAYS_BOUNDED = Every(
    "pattern (NAICS-3, sector and county published or not)",
    lambda: product((True, False), repeat=3),
    _has_bound,
)
BOUNDED_WITH_TOTAL = Every(
    "pattern (NAICS-3, sector and county published or not)",
    lambda: product((True, False), (True, False), (True,)),
    _has_bound,
    wrong=lambda published: published[0],
)


@claim(
    "webb2025/alg-4-bound",
    where="Appendix A.2, Algorithm 4, against the text before it; Tables 5 and 6",
    says="From the payrolls in its input list Algorithm 4 gives every suppressed NAICS-4 cell an upper bound "
    "u on its quarterly wages, the maximum of the text: what NAICS-3 leaves, where it is suppressed what the "
    "sector leaves, else the county's payroll minus the sectors'.",
    states=(*AS_PRINTED, DECLARED_4, LINES_ARE_THE_TEXT, ALWAYS_BOUNDED),
    meant=(*SUMS, ADDING_UP, WITH_NAICS_4, LINES_4_TO_9, LINE_12_OVER_SECTORS, BOUNDED_WITH_TOTAL),
)
def what_is_left_bounds_the_cell() -> Verdict:
    """Each branch subtracts from a published payroll what its published parts have, and the cell lies in a
    part that is not published: what is left is its payroll and that of other cells. Bound and payroll are
    linear in the NAICS-4 payrolls, so it is enough to let one code pay 1 and the others 0. Payrolls must
    be ≥ 0 and add up: with 5 published for 111 and 6 for its other part, u = −1.

    Where NAICS-3 is published lines 7–9 replace the u of lines 4–6, so that both orders agree. In line 12
    the sum runs over i′ and j′ is the index of the sum in line 6, which is not run there: the text says the
    sum of the published sectors. Lines 8–9 subtract CBP.cntyN4.qp1, which is not an input and which line 24
    of Algorithm 3 does not pass: two counties that agree in every declared input have different u. The last
    branch needs CBP.cnty.qp1. Table 5 lists payrolls from county by sector down to county by NAICS-6 only,
    and says nothing on the county's total or its suppression; where it is missing, u is not set.
    """
    return ill_posed(
        *map(solver.proves, (*SUMS, WITH_NAICS_4, LINE_12_OVER_SECTORS)),
        exhaustive.each(ADDING_UP, f"{UNIVERSE}; enough for all payrolls ≥ 0, by linearity"),
        exhaustive.each(LINES_4_TO_9, UNIVERSE),
        exhaustive.each(BOUNDED_WITH_TOTAL, "what is published of its NAICS-3 code and its sector"),
        exact.refuted(AS_PRINTED[0], own=1, shown=6, whole=5),
        exact.refuted(DECLARED_4, whole=10, part=3, another=0),
        exact.refuted(LINES_ARE_THE_TEXT, case=("111a", "111a", frozenset())),
        exact.refuted(ALWAYS_BOUNDED, case=(False, False, False)),
        condition="published payrolls are ≥ 0 and add up across the levels; CBP.cnty.qp1 is published for "
        "every county; CBP.cntyN4.qp1 is an input too, and line 12 has CBP.cntySect.qp1 at i′",
        counterexample="NAICS-3 payroll 5, its published NAICS-4 part 6: u = −1; NAICS-3 payroll 10, "
        "CBP.cntyN4.qp1 = 3 or missing for its other part: u = 7 or 10; NAICS-3 and sector suppressed: j′ is "
        "not set; the county payroll suppressed as well: no line sets u",
    )


def _revealed() -> Iterator[tuple[str, str, frozenset[str], str]]:
    """The cases of `_cases` with one more code published, other than the one that is bounded."""
    for code, paid, shown in _cases():
        for more in CODES:
            if more not in shown and more != code:
                yield code, paid, shown, more


FINEST = Every(
    "case (code, the code that pays, what is shown, what is shown as well)",
    _revealed,
    lambda case: (
        bound(case[0], _published(case[1], case[2] | {case[3]})) <= bound(case[0], _published(*case[1:3]))
    ),
    wrong=lambda case: (
        bound(case[0], _published(case[1], case[2] | {case[3]})) < bound(case[0], _published(*case[1:3]))
    ),
)


@claim(
    "webb2025/alg-4-finest",
    where="Appendix A.2, text on Algorithm 4",
    says="The bound uses the payrolls of NAICS-3, of the sector, else of the county, the finest that is "
    "published.",
    states=FINEST,
    origin="ours",
)
def publishing_more_never_raises_the_bound() -> Verdict:
    """So the bound is never above one from a coarser level, and publishing one more payroll never raises it
    (linear in the payrolls, so unit payrolls are enough). It is not the least that the published values
    allow: inside suppressed NAICS-3 cells the published NAICS-4 payrolls could be subtracted too.
    """
    county = CountyPayroll({"111a": F(3)}, {}, {"11": F(10)}, F(10))
    return holds_loosely(
        exhaustive.each(FINEST, f"{UNIVERSE}; one more payroll published"),
        exact.compare(bound("111b", county), ">", 10 - 3, "u, and what sector and NAICS-4 leave"),
        value="subtract the published NAICS-4 payrolls of suppressed NAICS-3 cells as well",
        counterexample="sector 11 pays 10, 111 is suppressed, 111a pays 3: u = 10 for 111b, which has at "
        "most 7",
    )
