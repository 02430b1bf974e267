"""The UMETRICS reports: cells, lawful histories, averages and budgets, against numbers by hand."""

import math
from fractions import Fraction as F
from itertools import product

import pytest

from establish.spec import umetrics
from establish.spec.arithmetic import EXACT
from establish.spec.parameters import ParameterError
from establish.spec.relations.history import PresenceOfHistory

REPORT = umetrics.Report(("s", "t"), (1, 2), ("faculty", "student"), ("academia", "industry"))
BUDGET = {("s", 1): (F(1), F(2)), ("s", 2): (F(3), F(4)), ("t", 1): (F(5), F(6)), ("t", 2): (F(7), F(8))}


def record(university, year, title="student", sector="academia", earnings=1):
    return (university, year, title, sector, earnings)


def test_a_report_of_the_slides_has_nine_cells_a_year():
    slides = umetrics.Report(("s",), tuple(range(1, 11)), ("a", "b", "c"), ("x", "y", "z"))
    assert len(slides.cells()) == 9
    with pytest.raises(ParameterError, match="years"):
        umetrics.Report(("s",), (1, 1), ("a",), ("x",))
    with pytest.raises(ParameterError, match="titles"):
        umetrics.Report(("s",), (1,), (), ("x",))


def test_a_person_has_one_record_for_each_university_and_year():
    assert umetrics.is_lawful((record("s", 1), record("s", 2), record("t", 1)))
    assert not umetrics.is_lawful((record("s", 1), record("s", 1, sector="industry")))
    # 2 universities × 2 years, 4 cells × 2 earnings each or none: 9^4 − 1 histories of any length
    assert sum(1 for _ in REPORT.histories((1, 5), 4)) == 9**4 - 1
    assert sum(1 for _ in REPORT.histories((1, 5), 1)) == 4 * 8
    assert all(umetrics.is_lawful(h) and list(h) == sorted(h) for h in REPORT.histories((1, 5), 2))


def test_employment_and_earnings_are_those_of_the_cell_and_year():
    d = tuple(
        sorted(
            [
                ("Ada", record("s", 1, earnings=7)),
                ("Ada", record("s", 2, "student", "industry", 9)),
                ("Bob", record("s", 1, earnings=3)),
                ("Bob", record("t", 1, "faculty", "industry", 8)),
            ]
        )
    )
    assert REPORT.cells() == tuple(product(("faculty", "student"), ("academia", "industry")))
    assert REPORT.employment(d, "s", 1) == (0, 0, 2, 0)
    assert REPORT.employment(d, "s", 2) == (0, 0, 0, 1)
    assert umetrics.earnings_in(d, "s", 1, "student", "academia") == (3, 7)
    relation = PresenceOfHistory(("Ada", "Bob"), REPORT.histories((3, 7, 8, 9), 2))
    assert relation.related(d, tuple(row for row in d if row[0] == "Ada"))


def test_the_change_of_a_mean_by_hand():
    # n zeros in the range 0 to 1: one more at 1 moves the mean by 1/(n+1); one less by nothing.
    assert umetrics.mean_local_sensitivity((0, 0), (0, 1)) == F(1, 3)
    assert umetrics.mean_local_sensitivity((0, 0, 0), (0, 1)) == F(1, 4)
    # (0, 0, 2): mean 2/3; without the 2 it is 0, a change of 2/3; one more at 2 makes 1, a change of 1/3.
    assert umetrics.mean_local_sensitivity((0, 0, 2), (0, 2)) == F(2, 3)
    assert umetrics.mean_local_sensitivity((5,), (0, 9)) == math.inf
    assert umetrics.mean((1, 2)) == F(3, 2)
    with pytest.raises(ParameterError, match="empty"):
        umetrics.mean(())
    with pytest.raises(ParameterError, match="lie in"):
        umetrics.mean_local_sensitivity((0, 3), (0, 2))


def test_chi_is_the_largest_over_cells_and_never_above_the_width():
    assert umetrics.observed_chi([(0, 0, 0), (1, 1)], (0, 2)) == F(3, 2)
    assert umetrics.observed_chi([(0, 0, 2), (1, 1)], (0, 2)) == 2 == umetrics.public_chi((0, 2))
    with pytest.raises(ParameterError, match="at least one"):
        umetrics.observed_chi([], (0, 2))


def test_scales_by_hand():
    assert umetrics.mose_scale(2, 3, F(1, 2)) == F(4, 3)
    law = umetrics.mose_law((0, 3), 6, 2, c=EXACT)
    assert (law.center, law.scale) == (F(3, 2), F(3, 2))
    assert umetrics.mose_law((0, 3), 6, 2, size=3, c=EXACT).scale == 1
    assert umetrics.employment_law(4, F(1, 2), EXACT).scale == 2
    total = umetrics.total_law((12, 15), (10, 20), 2, EXACT)
    assert (total.center, total.scale) == (7, 5)
    for wrong in (0, -1):
        with pytest.raises(ParameterError):
            umetrics.mose_scale(2, 3, wrong)


def test_budgets_add_up_over_years_as_printed_and_over_universities_for_a_person():
    assert umetrics.report_budget(BUDGET, "s") == 10
    assert umetrics.report_budget(BUDGET, "t") == 26
    assert umetrics.person_budget(BUDGET, (record("s", 2), record("t", 1))) == 7 + 11
    assert umetrics.person_budget(BUDGET, ()) == 0
