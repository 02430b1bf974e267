"""The limit's certificates: what is verified, what a changed one is, and what is above the limit."""

from dataclasses import replace
from fractions import Fraction
from math import exp

import pytest

from establish.proofs_check.engine.rules import limits
from establish.proofs_check.engine.rules.limits import (
    SCALE,
    LimitCertificate,
    excesses,
    least_decay,
    ratio,
    verified,
    within_windows,
    within_windows_with_delta,
)
from establish.proofs_check.engine.statements import NoSmallerLimit, StatementError
from establish.proofs_check.limits import limit_with_delta
from establish.proofs_check.limits.certificate import built
from establish.proofs_check.limits.limit import enclosed
from establish.proofs_check.limits.limit_with_delta import enclosed_with_delta
from establish.proofs_check.papers.ours import limit_with_delta as claimed

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


@pytest.mark.small_campaign
def test_an_amount_may_not_reach_beyond_one_step(certificate):
    """One unit more from a cell at the reach is accepted somewhere, and from the next cell nowhere."""
    reach = certificate.per_step

    def taking(j: int, distance: int) -> bool:
        pair = (j + distance, j)
        more = {**certificate.amounts, pair: certificate.amounts.get(pair, 0) + 1}
        return verified(replace(certificate, amounts=more))

    near = [j for j in range(-reach, 0) if taking(j, reach)]
    assert near
    assert not any(taking(j, reach + 1) for j in near)


def test_a_value_is_printed_outward():
    found = enclosed(Fraction(1, 100), Fraction(1, 4), 200)
    low, high = map(Fraction, found.printed)
    assert low <= found.lower <= found.upper <= high


def test_a_negative_amount_is_refused_where_nothing_else_would(certificate):
    """A cell with room to spare gives up a negative amount, which proves nothing."""
    pair = (-80, -79)
    assert pair not in certificate.amounts
    assert verified(replace(certificate, amounts={**certificate.amounts, pair: 1}))
    assert not verified(replace(certificate, amounts={**certificate.amounts, pair: -1}))


def test_cells_that_are_not_listed_must_be_in_excess():
    """Two cells owe, and two below take it up; the cells above 0, which owe as much, are left out."""
    value = Fraction(4, 10_000)
    owed = 20 + int(value * SCALE * SCALE / least_decay(TWO))
    amounts = {(-1, -3): owed, (0, -2): owed}
    short = LimitCertificate(TENTH, TWO, value, 200, -3, 0, amounts)
    listed = excesses(TENTH, value, ratio(TENTH, 200), -3, 0)
    assert min(listed[:2]) >= owed
    assert listed[-1] < 0
    assert not verified(short)
    more = excesses(TENTH, value, ratio(TENTH, 200), -3, 1)
    assert more[-1] > 0
    assert verified(replace(short, last=1)), "only the end was missing"


def test_the_rule_derives_the_certified_value_and_nothing_more(certificate):
    two_fifths = NoSmallerLimit(TENTH, TWO, Fraction(2, 5))
    assert within_windows(two_fifths, certificate).established is True
    for planted in (
        replace(two_fifths, value=Fraction(401, 1000)),
        replace(two_fifths, alpha=Fraction(1, 11)),
        replace(two_fifths, epsilon=Fraction(21, 10)),
    ):
        assert within_windows(planted, certificate).established is None
    (cell, amount), *_ = certificate.amounts.items()
    spoilt = replace(certificate, amounts={**certificate.amounts, cell: -amount})
    assert within_windows(two_fifths, spoilt).established is None


def test_the_adversary_sees_a_value_that_a_staircase_or_the_constant_beats():
    found = enclosed(TENTH, TWO, 200)
    search = NoSmallerLimit(TENTH, TWO, found.lower).search()
    assert not search.refuted
    assert search.sees
    assert NoSmallerLimit(TENTH, TWO, found.upper * Fraction(1001, 1000)).search().refuted
    assert "constant" in NoSmallerLimit(TENTH, "1/20", 11).search().refuted


def test_a_point_of_the_limit_is_a_staircase():
    statement = NoSmallerLimit(TENTH, TWO, 1)
    assert statement.at({"r1": 0, "r2": 0}).value is False
    for wrong in ({"r1": -1, "r2": 0}, {"r1": 0}):
        with pytest.raises(StatementError):
            statement.at(wrong)


def test_delta_gives_up_some_of_the_limit_and_no_more():
    found = enclosed_with_delta(TENTH, TWO, Fraction(1, 1000))
    assert found.certificate is not None
    stated = NoSmallerLimit(TENTH, TWO, found.lower, "1/1000")
    assert within_windows_with_delta(stated, found.certificate).established is True
    assert within_windows(stated, found.certificate).established is None
    for planted in (
        replace(stated, value=found.lower * Fraction(1001, 1000)),
        replace(stated, delta=Fraction(2, 1000)),
        replace(stated, epsilon=TWO / 2),
    ):
        assert within_windows_with_delta(planted, found.certificate).established is None
    assert stated.search().sees
    assert "+ 1/1000 for all events" in stated.text


def test_the_claim_notices_when_half_is_given_up(monkeypatch, is_settled):
    claim = "establish/limit-with-delta/a1over10-e2-d1over1000"
    assert is_settled(claim)
    given_up = limits.given_up

    def half(certificate, delta):
        return given_up(certificate, delta) / 2

    for module in (limits, limit_with_delta, claimed):
        monkeypatch.setattr(module, "given_up", half)
    assert not is_settled(claim)
