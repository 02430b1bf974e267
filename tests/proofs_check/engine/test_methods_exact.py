"""Exact comparison: planted true and false statements about rationals."""

from fractions import Fraction as F

import pytest

from establish import Grade, exact

THIRD = F(1, 3)
FALSE = {
    "one over a zero denominator's neighbor": (F(1, 10**300), "==", 0),
    "numbers that agree in binary floats": (10**17, "==", 10**17 + 1),
    "the float 0.1 is not the rational": (F(0.1), "==", F(1, 10)),
    "the float sum 0.1 + 0.2": (F(0.1) + F(0.2), "==", F(3, 10)),
    "a difference of 10^-40": (THIRD, "<", THIRD - F(1, 10**40)),
    "equal is not less": (THIRD, "<", F(2, 6)),
    "equal is not greater": (THIRD, ">", F(2, 6)),
    "equal is not different": (F(2, 4), "!=", F(1, 2)),
    "signs": (F(-1, 2), ">=", F(-1, 3)),
    "a truncated third": (F(333333, 10**6), ">=", THIRD),
    "17 <= 16": (F(17), "<=", 16),
}
TRUE = {
    "a difference of 10^-40": (THIRD, ">", THIRD - F(1, 10**40)),
    "17 > 16": (17, ">", F(16)),
    "equal after cancellation": (F(2, 6), "==", THIRD),
    "less or equal at equality": (THIRD, "<=", F(2, 6)),
    "greater or equal at equality": (THIRD, ">=", F(2, 6)),
    "different by one part in 10^300": (F(1, 10**300), "!=", 0),
    "the float 0.1 lies above the rational": (F(0.1), ">", F(1, 10)),
    "3^3 < 3^4": (3**3, "<", 3**4),
    "numbers that agree in binary floats": (10**17, "<", 10**17 + 1),
}


@pytest.mark.parametrize("statement", FALSE.values(), ids=FALSE)
def test_a_false_comparison_is_refuted_and_shows_its_arithmetic(statement):
    left, relation, right = statement
    evidence = exact.compare(left, relation, right, "planted")
    assert evidence.established is False
    assert evidence.witness == f"{left} {relation} {right}"


@pytest.mark.parametrize("statement", TRUE.values(), ids=TRUE)
def test_a_true_comparison_is_established_as_a_proof(statement):
    left, relation, right = statement
    evidence = exact.compare(left, relation, right, "planted")
    assert evidence.established is True
    assert evidence.grade is Grade.PROOF


@pytest.mark.parametrize("inexact", [0.5, 1e300, float("nan"), "1/2", None])
def test_what_is_not_an_exact_rational_is_refused_on_either_side(inexact):
    with pytest.raises(TypeError, match="not an exact rational"):
        exact.compare(inexact, "<", 1, "planted")
    with pytest.raises(TypeError, match="not an exact rational"):
        exact.compare(1, "<", inexact, "planted")


def test_an_unknown_relation_is_refused():
    with pytest.raises(ValueError, match="relation = '=' is not one of <, <=, =="):
        exact.compare(1, "=", 1, "planted")
