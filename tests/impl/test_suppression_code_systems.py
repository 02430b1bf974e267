"""Code systems are named rules: made tables add up as by hand, in the audit and in the checker by itself."""

import random
from collections.abc import Iterable
from fractions import Fraction
from itertools import product

import pytest

from establish.impl.suppression import verify as checker
from establish.impl.suppression.audit import audit
from establish.impl.suppression.cells import Cells, Entry
from establish.impl.suppression.hierarchies import parents
from establish.impl.suppression.layout import Attacker, Layout
from establish.impl.suppression.sums import Problem, problem
from establish.impl.suppression.verdicts import intervals
from establish.spec.parameters import ParameterError

OUTSIDER = Attacker(nonnegative=True)


def asked(system: str, values: dict[str, int | None], total: str = "") -> Problem:
    layout = Layout(by=("k",), value="v", totals={"k": total} if total else {}, hierarchies=(("k", system),))
    return problem({(label,): Entry(value) for label, value in values.items()}, layout, OUTSIDER)


def found(system: str, values: dict[str, int | None], total: str = "") -> dict[str, tuple[object, object]]:
    table = asked(system, values, total)
    return {
        table.cells[one.place][0]: (one.lower, one.upper) for one in intervals(table, audit(table, False))
    }


NO = None
BY_HAND = {
    # 31-33 = 311 + 332 = 20; 44-45 = 100 − 20 − 30 = 50 = 441 + 445, so 445 = 45.
    "naics": (
        {"All": 100, "31-33": NO, "311": 12, "332": 8, "44-45": NO, "441": 5, "445": NO, "23": 30},
        "All",
        {"31-33": 20, "44-45": 50, "445": 45},
    ),
    # 102 = 100 − 60; 1012 = 60 − 25 and is sector 23; 1024 is all of 102, and 54 all of 1024.
    "qcew": (
        {"10": 100, "101": 60, "102": NO, "1011": 25, "1012": NO, "1024": NO, "11": 25, "23": NO, "54": NO},
        "10",
        {"102": 40, "1012": 35, "1024": 40, "23": 35, "54": 40},
    ),
    # 11---- = 100 − 40; 113110 = 60 − 10; 31---- holds 311/// and 332///.
    "cbp": (
        {"------": 130, "11----": NO, "23----": 40, "113110": NO, "115112": 10, "31----": NO, "311///": 18,
         "332///": 12},
        "------",
        {"11----": 60, "113110": 50, "31----": 30},
    ),
    # 44000 = 90 − 30; 44003 = 60 − 50; a state may be written with two digits.
    "fips": (
        {"US000": 90, "44000": NO, "44001": 45, "44003": NO, "44999": 5, "09": 30, "09001": NO},
        "US000",
        {"44000": 60, "44003": 10, "09001": 30},
    ),
}  # fmt: skip


@pytest.mark.parametrize("system", BY_HAND)
def test_a_made_table_is_audited_as_by_hand(system):
    values, total, exact = BY_HAND[system]
    assert found(system, values, total) == {label: (value, value) for label, value in exact.items()}


def test_domains_are_not_added_to_sectors():
    # All = goods + services, and all = sectors: 102 = 40 = 1021 + 5, and 1021 = 22 + 42.
    values = {"10": 100, "101": 60, "102": NO, "1021": NO, "1022": 5, "22": NO, "42": NO, "51": 5, "23": 60}
    assert found("qcew", values) == {
        "102": (40, 40), "1021": (35, 35), "22": (0, 35), "42": (0, 35),
    }  # fmt: skip
    assert asked("qcew", values).ways == {"k": ["qcew by sector", "qcew by supersector and domain"]}


def test_a_sector_that_is_not_listed_still_links_its_parts_to_its_supersector():
    # 1013 = 31-33 = 311 + 332, though the table leaves 31-33 out.
    assert found("qcew", {"10": 50, "1013": NO, "311": 12, "332": 8, "1012": NO}) == {
        "1013": (20, 20), "1012": (30, 30),
    }  # fmt: skip


@pytest.mark.parametrize("total", ["", "10"])
def test_sectors_alone_add_up_one_way(total):
    assert asked("qcew", {"10": 50, "11": 20, "23": NO}, total).ways == {"k": ["qcew"]}


def test_without_a_total_sectors_are_added_to_nothing():
    assert found("naics", {"11": NO, "23": NO, "236": 5}) == {"11": (0, None), "23": (5, 5)}


REFUSED = [
    ("naics", ["101", "11"], "k = 101 is not a code of naics: NAICS has no such code: 10, 101"),
    ("naics", ["11----", "113///"], "k = 11---- is not a code of naics: .* County Business Patterns"),
    ("naics", ["31", "311"], "k = 31 is not a code of naics: it is no code by itself: the sector is 31-33"),
    ("naics", ["41"], "no sector of NAICS has the code 41"),
    ("naics", ["1111111"], "two to six digits"),
    ("naics", ["4"], "two to six digits"),
    ("naics", ["farms."], "two to six digits"),
    ("naics", ["11-"], "two to six digits"),
    ("naics", ["31–33"], "two to six digits"),
    ("naics", ["٢٣"], "two to six digits"),
    ("naics", [""], "k =  is not a code of naics"),
    ("naics", ["95"], "no sector of NAICS has the code 95"),
    ("qcew", ["103"], "no sector of NAICS has the code 10"),
    ("qcew", ["10131"], "no sector of NAICS has the code 10"),
    ("cbp", ["11"], "padded to six places"),
    ("cbp", ["41"], "padded to six places"),
    ("cbp", ["11----", "11"], "k = 11 is not a code of cbp"),
    ("cbp", ["113---"], "padded to six places"),
    ("cbp", ["32----"], "the sector is 31-33"),
    ("cbp", ["31-33"], "padded to six places"),
    ("cbp", ["//////"], "padded to six places"),
    ("fips", ["44", "44000"], "k = 44 and k = 44000 are two spellings of one cell"),
    ("fips", ["1001"], "a leading zero may be lost"),
    ("fips", ["C1930"], "two digits for a state"),
    ("fips", ["00"], "two digits for a state"),
    ("fips", ["440010"], "two digits for a state"),
]  # fmt: skip


@pytest.mark.parametrize(("system", "labels", "message"), REFUSED)
def test_what_the_rule_cannot_place_is_refused_by_name(system, labels, message):
    with pytest.raises(ParameterError, match=message):
        asked(system, {"All": 9, **dict.fromkeys(labels)}, "All")


@pytest.mark.parametrize(("system", "labels"), [case[:2] for case in REFUSED])
def test_the_checker_refuses_the_same(system, labels):
    with pytest.raises(checker.Refused, match=f" is not a code of {system}, or is there in two"):
        checker.parents(system, ["All", *labels], "All")


@pytest.mark.parametrize(
    ("system", "total", "labels", "message"),
    [
        ("naics", "11", ["23"], "k = 23 is not part of the total 11"),
        ("fips", "44000", ["09001"], "k = 09001 is not part of the total 44000"),
        ("fips", "US000", ["72000"], "k = 72000 is not part of the total US000"),  # not in national totals
        ("qcew", "All", ["10", "11"], "k = All and k = 10 are two spellings of one cell"),
        ("fips", "44000", ["44"], "k = 44000 and k = 44 are two spellings of one cell"),
    ],
)
def test_what_is_not_part_of_the_total_is_refused_by_name(system, total, labels, message):
    with pytest.raises(ParameterError, match=message):
        asked(system, {total: 9, **dict.fromkeys(labels)}, total)


@pytest.mark.parametrize(
    ("one", "other"), [("\u00cele", "I\u0302le"), ("A B", "A\u00a0B")]
)  # composed or not; a space that does not break
def test_two_spellings_of_a_plain_label_are_refused(one, other):
    layout = Layout(by=("k",), value="v", totals={"k": "All"})
    cells = {(label,): Entry(None) for label in ("All", one, other)}
    with pytest.raises(ParameterError, match="two spellings of one cell"):
        problem(cells, layout, OUTSIDER)


@pytest.mark.parametrize(
    ("given", "labels", "system"),
    [
        ("", ["11", "113", "23"], "naics"),
        ("", ["101", "11", "23"], "qcew"),
        ("", ["11----", "113///"], "cbp"),
        ("", ["44000", "44001"], "fips"),
        ("prefix", ["31-33", "311"], "naics"),
        ("prefix", ["101", "1011", "11"], "qcew"),
        ("prefix", ["44000", "44001"], "fips"),
    ],
)
def test_codes_are_not_put_side_by_side_unless_that_is_asked(given, labels, system):
    cells: Cells = {(label,): Entry(None) for label in ("All", *labels)}
    trees = (("k", given),) if given else ()
    layout = Layout(by=("k",), value="v", totals={"k": "All"}, hierarchies=trees)
    with pytest.raises(ParameterError, match=f"k holds codes of {system}, some of which are part of others"):
        problem(cells, layout, OUTSIDER)
    flat = Layout(by=("k",), value="v", totals={"k": "All"}, hierarchies=(("k", "flat"),))
    assert len(problem(cells, flat, OUTSIDER).sums) == 1


@pytest.mark.parametrize(
    "labels",
    [["1", "2", "10", "11"], ["11", "23", "31-33"], ["111", "112"], ["44001", "44003"], ["2019", "2020"]],
)
def test_labels_that_stand_side_by_side_are_left_in_peace(labels):
    cells: Cells = {(label,): Entry(None) for label in ("All", *labels)}
    assert len(problem(cells, Layout(by=("k",), value="v", totals={"k": "All"}), OUTSIDER).sums) == 1


CODES = {
    "naics": "11 111 1111 11111 111110 112 21 211 22 23 236 238 31-33 311 3111 321 332 333 44-45 441 445 "
    "4451 451 48-49 481 492 51 99 999",
    "qcew": "10 101 102 1011 1012 1013 1021 1022 1023 1024 1025 1026 1027 1028 1029 11 111 21 22 23 236 "
    "31-33 311 321 3211 332 42 44-45 441 451 48-49 482 491 51 52 53 54 55 56 61 62 71 72 81 92 99 999 9999",
    "cbp": "------ 11---- 113/// 1131// 11311/ 113110 115112 23---- 236/// 31---- 311/// 321/// 332110 "
    "44---- 441/// 451/// 48---- 481/// 492/// 95---- 951/// 99----",
    "fips": "US000 44 44001 44003 44999 09000 09001 09003 56 56001 01001 01003 72000 72001 78",
}
TOTALS = {"naics": ("", "All"), "qcew": ("", "10"), "cbp": ("", "------"), "fips": ("", "72", "44")}


def rows_of(sums: Iterable[tuple[dict[int, int], object]]) -> list[tuple[tuple[int, int], ...]]:
    return [tuple(sorted(terms.items())) for terms, _ in sums]


@pytest.mark.few(40)
@pytest.mark.parametrize("seed", range(200))
def test_audit_and_checker_derive_the_same_sums(seed):
    draw = random.Random(seed)
    systems = [draw.choice([*CODES, "flat"]) for _ in range(2)]
    columns, totals = [], {}
    for name, system in zip("rc", systems, strict=True):
        codes = CODES.get(system, "a b c").split()
        total = draw.choice(TOTALS.get(system, ("All",)))
        if system == "fips" and total:
            codes = [code for code in codes if code[:2] == total and code[2:] != "000"]
        labels = draw.sample(codes, draw.randint(1, len(codes)))
        totals[name] = total
        columns.append([*([total] if total and total not in labels else []), *labels])
    cells = [
        cell for cell in product(*columns) if draw.random() < 0.6 or cell == tuple(c[0] for c in columns)
    ]
    totals = {n: t for n, t in totals.items() if t and t in {cell["rc".index(n)] for cell in cells}}
    hierarchies = tuple(zip("rc", systems, strict=True))
    layout = Layout(by=("r", "c"), value="v", totals=totals, hierarchies=hierarchies)
    table = problem({cell: Entry(None) for cell in cells}, layout, OUTSIDER)
    ours = [(dict(one.terms), one.right) for one in table.sums]
    names = list(cells)
    assert rows_of(ours) == rows_of(checker.derive(layout.record(), names))
    assert len(names) == len(table.cells)


SUPERSECTORS = {
    "1011": "11 21", "1012": "23", "1013": "31-33", "1021": "22 42 44-45 48-49", "1022": "51",
    "1023": "52 53", "1024": "54 55 56", "1025": "61 62", "1026": "71 72", "1027": "81",
    "1028": "92", "1029": "99",
}  # fmt: skip
"""As the crosswalk of the Bureau of Labor Statistics prints them; a real file adds up so, too."""


@pytest.mark.parametrize("code", SUPERSECTORS)
def test_a_supersector_is_the_sum_of_its_sectors(code):
    others = [other for other in SUPERSECTORS if other != code]
    labels = ["10", "101", "102", *SUPERSECTORS, *" ".join(SUPERSECTORS.values()).split()]
    above = parents("k", "qcew", labels, "10")
    assert [label for label in labels if above.get(label) == code] == SUPERSECTORS[code].split()
    assert above == checker.parents("qcew", labels, "10")
    assert above[code] == code[:3]
    without = [label for label in labels if label not in others and label not in ("101", "102")]
    assert {
        above_
        for part, above_ in parents("k", "qcew", without, "10").items()
        if part not in SUPERSECTORS[code].split()
    } == {"10"}


def test_what_the_checker_derives_is_true_of_a_table_with_every_code():
    # Leaves have values; every other code is worth what lies below it by a list written down here.
    below = {
        "10": "11 21 23 31-33", "101": "11 21 23 31-33", "1011": "11 21", "1012": "23", "1013": "31-33",
        "11": "111 112", "31-33": "311 321 332", "321": "3211 3212",
    }  # fmt: skip
    leaves = {"111": 1, "112": 10, "21": 100, "23": 1000, "311": 2, "3211": 20, "3212": 200, "332": 2000}

    def worth(code: str) -> int:
        return leaves[code] if code in leaves else sum(worth(part) for part in below[code].split())

    labels = [*below, *leaves]
    layout = Layout(by=("k",), value="v", totals={"k": "10"}, hierarchies=(("k", "qcew"),))
    names = [(label,) for label in labels]
    sums = checker.derive(layout.record(), names)
    assert len(sums) == len(below)
    for terms, right in sums:
        assert sum(Fraction(factor) * worth(names[place][0]) for place, factor in terms.items()) == right
