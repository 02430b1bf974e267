"""The limit's certificates: what is verified, what a changed one is, and what is above the limit."""

from dataclasses import replace
from fractions import Fraction
from math import exp

import pytest

from establish.proofs_check.papers.ours.limit import enclosed
from establish.proofs_check.papers.ours.limit_certificate import (
    SCALE,
    built,
    excesses,
    least_decay,
    ratio,
    verified,
)

TENTH, TWO = Fraction(1, 10), Fraction(2)


@pytest.fixture(scope="module")
def certificate():
    return built(TENTH, TWO, Fraction(2, 5), 200)


def test_a_certificate_is_verified_and_a_changed_one_is_not(certificate):
    assert verified(certificate)
    (cell, amount), *_ = certificate.amounts.items()
    for changed in (
        replace(certificate, value=Fraction(41, 100)),
        replace(certificate, epsilon=Fraction(21, 10)),
        replace(certificate, per_step=100),
        replace(certificate, last=certificate.last - 1),
        replace(certificate, amounts={}),
        replace(certificate, amounts={**certificate.amounts, cell: amount * 2}),
        replace(certificate, amounts={**certificate.amounts, cell: -amount}),
    ):
        assert not verified(changed)


def test_nothing_is_built_above_what_a_mechanism_attains():
    found = enclosed(TENTH, TWO, 200)
    assert built(TENTH, TWO, found.upper + Fraction(1, 10**6), 200) is None
    assert 0.4 < found.lower < found.upper < Fraction(4062, 10_000)


@pytest.mark.parametrize("epsilon", ["1/1000", "1/4", "2", "20"])
def test_the_decay_is_just_below_the_exponential(epsilon):
    q = least_decay(Fraction(epsilon)) / SCALE
    assert q <= exp(-float(Fraction(epsilon))) * (1 + 1e-15)
    assert q == pytest.approx(exp(-float(Fraction(epsilon))), rel=1e-9)


def test_the_cells_bound_the_error_from_below():
    growth = ratio(TENTH, 50)
    assert growth**50 < 1 + TENTH
    assert float(growth) ** 50 == pytest.approx(1.1, rel=1e-12)
    listed = dict(enumerate(excesses(TENTH, Fraction(2, 5), growth, -60, 60), -60))
    for i, found in listed.items():
        for share in (0.001, 0.5, 0.999):
            u = float(growth) ** (i + share)
            assert found / SCALE <= abs(u - 1) * 10 - 0.4 + 1e-12
    assert listed[0] / SCALE == pytest.approx(-0.4)
