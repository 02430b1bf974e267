"""Budgets under one μ against a numerical optimum, and against splits that are worked by hand."""

from fractions import Fraction as F

import numpy as np
import pytest
from scipy.optimize import minimize

from establish.spec.arithmetic import ARB, MP, enclosing
from establish.spec.joint_budget import POWERS, budget, error, price, shares


@pytest.mark.parametrize("power", POWERS.values())
def test_the_shares_are_those_that_a_numerical_search_finds(power):
    """The search moves the squares of the shares, over which the sum of errors is convex."""
    weights = [F(1), F(8), F(27, 2), F(1, 5)]

    def total(logits):
        squares = np.exp(logits) / np.exp(logits).sum()
        return sum(float(w) / s ** (power / 2) for w, s in zip(weights, squares, strict=True))

    found = minimize(total, np.zeros(4), method="BFGS", options={"gtol": 1e-9})
    squares = np.exp(found.x) / np.exp(found.x).sum()
    given = [float(share) for share in shares(weights, power, MP)]
    assert np.sqrt(squares) == pytest.approx(given, rel=1e-5)


def test_weights_1_8_and_27_share_as_1_2_and_3():
    with enclosing():
        for share, by_hand in zip(shares([F(1), F(8), F(27)], 1, ARB), (1, 2, 3), strict=True):
            assert share.overlaps(by_hand / ARB.sqrt(ARB.number(14)))


def test_equal_weights_share_equally():
    for power in POWERS.values():
        assert [float(share) for share in shares([F(3)] * 4, power, MP)] == [0.5] * 4


@pytest.mark.parametrize("power", POWERS.values())
def test_the_price_is_what_one_more_unit_of_the_squared_budget_saves(power):
    """What the least sum falls by from one factor to a larger one, over what the squares grow by."""
    roots, t, more = (F(1), F(2), F(5)), F(3, 7), F(1, 10**9)

    def least(factor):
        return sum(error(root, budget(root, factor), power) for root in roots)

    def spent(factor):
        return sum(budget(root, factor) ** 2 for root in roots)

    saved = (least(t) - least(t + more)) / (spent(t + more) - spent(t))
    assert float(saved) == pytest.approx(float(price(t, power)), rel=1e-7)
