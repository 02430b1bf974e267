"""Intervals of close values of Webb et al., Table 2 among them, by second methods."""

import math
from fractions import Fraction as F

import pytest

from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.methods import exact
from establish.proofs_check.papers.webb2025 import intervals, persons, printed_intervals


def numbers(text):
    return [float(word) for word in text.replace("[", " ").replace("]", " ").split(", ") if word]


@pytest.mark.parametrize("x", [3, 36, 360, 36000])
def test_the_rows_of_table_2_in_floating_point(x):
    found = ledger.recorded()[f"webb2025/tab-2-{x}"].value
    roots, logs = found.removeprefix("√ ").split(", log ")
    by_root = (math.sqrt(x) - 0.5) ** 2, (math.sqrt(x) + 0.5) ** 2
    by_log = x * math.exp(-0.1), x * math.exp(0.1)
    assert numbers(roots) == pytest.approx(by_root, rel=1e-13)
    assert numbers(logs) == pytest.approx(by_log, rel=1e-13)
    printed = [float(number) for number in printed_intervals.PRINTED[x]]
    assert printed == [round(end, 1) for end in (*by_root, *by_log)]


@pytest.mark.parametrize(("end", "wrong"), [(0, "1.6"), (1, "4.9"), (2, "2.8"), (3, "3.4")])
def test_a_wrong_digit_in_a_row_of_table_2_is_noticed(end, wrong):
    printed = list(printed_intervals.PRINTED[3])
    printed[end] = wrong
    found = [exact.decided(one).established for one in printed_intervals.row(3, printed)]
    assert found == [k != end for k in range(4)]


def test_sizes_close_to_three_by_floating_point():
    by_log = [y for y in range(1, 10) if abs(math.log(y / 3)) <= 0.1]
    by_root = [y for y in range(10) if abs(math.sqrt(y) - math.sqrt(3)) <= 0.5]
    assert [y for y in range(10) if intervals.logarithm().close(3, y, F(1, 10))] == by_log == [3]
    assert [y for y in range(10) if intervals.root().close(3, y, F(1, 2))] == by_root == [2, 3, 4]


def test_lengths_relative_to_disneyland():
    assert round(1000 / 36000 * 100, 1) == 2.8
    assert round(100 / 36000 * 100, 1) == 0.3
    assert round(500 / 36000 * 100, 1) == 1.4
    assert round(50 / 36000 * 100, 1) == 0.1


def test_root_is_relatively_wider_than_log_below_a_hundred_employees():
    def wider(x):
        return (math.sqrt(x) + 0.5) ** 2 - max(math.sqrt(x) - 0.5, 0) ** 2 > 2 * x * math.sinh(0.1)

    assert [x for x in (3, 36, 99, 100, 360, 36000) if wider(x)] == [3, 36, 99]
    assert float(ledger.recorded()["webb2025/sec5.3-crossover"].value.split()[-1]) == pytest.approx(
        1 / math.sinh(0.1) ** 2
    )


def test_no_chain_of_whole_numbers_leads_from_one_employee_to_none():
    assert persons.whole_numbers_close_to_none() == []
    assert [y for y in range(50) if math.sqrt(y) <= 0.5] == [0]
    assert (max(math.sqrt(1) - 1, 0)) ** 2 == 0  # but 0 is in the interval of 1 at twice γ
