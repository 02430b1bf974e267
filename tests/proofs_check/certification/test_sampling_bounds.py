"""The checks of the samplers come out otherwise when a sampler is wrong."""

from dataclasses import replace
from fractions import Fraction
from math import exp

import numpy as np
import pytest

from establish.impl.sampling import choice, exponential, laws, tables
from establish.impl.sampling.bits import Bits
from establish.proofs_check.certification.sampling import (
    certify_bounds,
    choice_bounds,
    kernel_bounds,
    table_bounds,
)
from establish.proofs_check.certification.sampling.horner import PRECISION
from establish.proofs_check.certification.sampling.table_bounds import IDEALS, Ideal
from establish.proofs_check.engine.verdicts import Grade
from establish.spec.arithmetic import enclosing

NAMES = ("laplace", "gaussian", "heavy-tailed")
BY_NAME = pytest.mark.parametrize("ideal", IDEALS, ids=NAMES)


@pytest.mark.small_campaign
def test_every_error_bound_is_certified():
    found = certify_bounds()
    assert [piece.says for piece in found if piece.established is not True] == []
    assert {piece.grade for piece in found} == {Grade.PROOF, Grade.ENCLOSURE}
    assert sum("quantile is computed to" in piece.says for piece in found) == len(NAMES)


@pytest.mark.few(20)
@BY_NAME
@pytest.mark.parametrize("piece", [0, 1000, -2, -1])
@pytest.mark.parametrize(("k", "factor"), [(0, 1 + 1e-13), (0, 1.05), (1, 1 + 1e-11), (3, 1.05), (5, -100)])
def test_one_wrong_coefficient_is_noticed(ideal: Ideal, k: int, factor: float, piece: int):
    table = ideal.table()
    middle, row = list(table_bounds.rows(table))[piece]
    wrong = [c * factor if j == k else c for j, c in enumerate(row)]
    with enclosing(PRECISION):
        assert table_bounds.piece_excess(ideal, table, middle, row) < 0
        assert not table_bounds.piece_excess(ideal, table, middle, wrong) < 0


@BY_NAME
def test_a_table_with_one_wrong_piece_is_not_certified(ideal: Ideal):
    table = ideal.table()
    first = table.coefficients[0].copy()
    first[70] *= 1.05
    wrong = replace(table, coefficients=(first, *table.coefficients[1:]))
    found = table_bounds.table_bound(ideal, wrong, "wrong")
    assert found.established is None
    assert found.witness == f"U = {list(table_bounds.rows(table))[70][0]}"


@BY_NAME
def test_a_bound_that_claims_too_much_is_not_certified(ideal: Ideal):
    table = ideal.table()
    bold = replace(table, error=(table.error[0] / 2, table.error[1] / 2))
    assert table_bounds.table_bound(ideal, bold, "bold").established is None


@BY_NAME
def test_a_wrong_density_is_refuted(ideal: Ideal):
    wrong = replace(ideal, rate=lambda z, c: ideal.rate(z, c) * Fraction(21, 20))
    assert table_bounds.rate_is_inverse_density(wrong, "wrong").established is False


def test_a_slope_that_is_too_small_is_not_certified(monkeypatch: pytest.MonkeyPatch):
    low = replace(tables.gaussian(), slope=(1.25, 0.0))
    ideals = (IDEALS[0], replace(IDEALS[1], table=lambda: low), IDEALS[2])
    monkeypatch.setattr(table_bounds, "IDEALS", ideals)
    assert table_bounds.slopes()[-1].established is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ERROR", 3.4e-16),
        ("STEP_LOW", 0.0),
        ("STEP_HIGH", exponential.STEP_HIGH + 2.0**-43),
        ("COEFFICIENTS", (*exponential.COEFFICIENTS[:-1], 1.05 / 120)),
        ("POWERS", exponential.POWERS * (1 + 1e-15)),
    ],
)
def test_a_wrong_exponential_is_not_certified(name: str, value: object, monkeypatch: pytest.MonkeyPatch):
    assert kernel_bounds.exponential_bound().established is True
    monkeypatch.setattr(exponential, name, value)
    assert kernel_bounds.exponential_bound().established is None


def test_a_wrong_shift_of_the_geometric_table_is_not_certified(monkeypatch: pytest.MonkeyPatch):
    assert kernel_bounds.geometric_bound(Fraction(1, 3)).established is True
    right = laws.two_sided_geometric_sampler

    def wrong(epsilon: Fraction, size: int) -> object:
        sampler = right(epsilon, size)
        first = sampler.table.coefficients[0] + 1e-13
        table = replace(sampler.table, coefficients=(first, *sampler.table.coefficients[1:]))
        return replace(sampler, table=table)

    monkeypatch.setattr(laws, "two_sided_geometric_sampler", wrong)
    assert kernel_bounds.geometric_bound(Fraction(1, 3)).established is None


def test_the_mean_size_of_the_drawn_noise_is_that_of_the_law():
    """E|K| = 2ρ/(1 − ρ²) with variance 2ρ/(1−ρ)² − that²; 7 standard errors: 3e-12 in the normal limit."""
    ratio, size = exp(-0.5), 1_000_000
    draws = np.abs(laws.two_sided_geometric(Fraction(1, 2), size, Bits.seeded(6)))
    mean = 2 * ratio / (1 - ratio**2)
    spread = np.sqrt((2 * ratio / (1 - ratio) ** 2 - mean**2) / size)
    assert abs(draws.mean() - mean) <= 7 * spread


def test_the_bound_of_the_running_sums_is_certified():
    found = choice_bounds.choice_bound()
    assert found.established is True
    assert found.grade is Grade.ENCLOSURE


@pytest.mark.parametrize(
    ("constant", "value"),
    [
        ("relative_error", lambda width: (600 + 1.1 * width) * 2.0**-53),
        ("relative_error", lambda width: (700 + 0.99 * width) * 2.0**-53),
        ("CUT", 170.0),
        ("CUT", 350.0),
        ("LARGEST_WEIGHT", 2.0**200),
    ],
)
def test_a_bound_that_is_too_small_is_not_certified(
    constant: str, value: object, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(choice, constant, value)
    assert choice_bounds.choice_bound().established is None
