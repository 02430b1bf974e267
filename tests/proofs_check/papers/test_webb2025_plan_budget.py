"""What the queries of Webb et al. cost (Table 7) by second methods; a wrong digit is noticed."""

from fractions import Fraction as F
from math import sqrt

import pytest

from establish.proofs_check.engine.methods import exact
from establish.proofs_check.engine.register import claims
from establish.proofs_check.papers.webb2025 import plan_budget, rounding


@pytest.mark.parametrize(
    "wrong", [{"budget": "1.23"}, {"share": "0.280"}, {"wage_share": "0.016"}, {"employment": "0.71"}]
)
def test_a_wrong_digit_in_a_table_entry_is_noticed(wrong):
    row = plan_budget.ROWS["I"]
    found = [exact.decided(entry).established for entry in plan_budget.entries(row)]
    changed = [exact.decided(entry).established for entry in plan_budget.entries(row._replace(**wrong))]
    assert all(found)
    assert not all(changed)


def test_rounding_evidence_is_refuted_just_outside_half_a_unit():
    assert rounding.root_rounds(F("1.4925"), "1.22", "").established
    assert rounding.root_rounds(F("1.4925"), "1.23", "").established is False
    assert rounding.root_rounds(F("1.4925"), "1.21", "").established is False


def test_totals_of_the_budgets_agree_with_floating_point():
    assert float(claims()["webb2025/sec8.1-mu"].check().value) == pytest.approx(sqrt(3 * 1.74))
    assert float(claims()["webb2025/sec8.2-mu"].check().value) == pytest.approx(sqrt(4 * 1.329933))
    assert float(claims()["webb2025/tab-7-mu"].check().value) == pytest.approx(sqrt(5.32))
