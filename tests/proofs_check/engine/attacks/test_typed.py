"""A typed value that the object does not tell is prose; a counterexample at another point is refused."""

from fractions import Fraction as F

import pytest

from establish import AtMost, Below, Equal, Outcome, Printed, Real, exact, fails, holds, solver
from establish.proofs_check.engine.grades import Grade, Stated, graded
from establish.proofs_check.engine.settlement import settle
from establish.proofs_check.engine.typed import elsewhere, tells

E, X, ALPHA = Real("ε_1", above=0), Real("x", least=0), Real("α", above=0)

POWERS = AtMost(X, left=lambda c, x: 10 - x * 9, right=lambda c, x: 10 + x * 9)
DOUBLE = Equal(E, left=lambda c, e: e + e, right=lambda c, e: 2 * e)
HALF = Equal(E, ALPHA, left=lambda c, e, a: a * e / (a + a), right=lambda c, e, a: e * F(1, 2))
ROOT = Equal(left=lambda c: 1 / c.sqrt(c.number(2)), right=lambda c: c.sqrt(c.number(2)) / 2)
SMALL = Below(left=lambda c: c.number(F(1, 10**10)), right=F(1, 10**9))
SCALE = Equal(
    ALPHA, E, left=lambda c, a, e: c.log(1 + a) / e, right=lambda c, a, e: (c.log((1 + a) ** 2) / 2) / e
)
LEAST = Below(
    ALPHA, Real("γ", above=0, below=lambda c, a: 1 / a), left=lambda c, a, g: a * g, right=lambda c, a, g: 1
)
THIRD = Printed(lambda c: c.number(F(1, 3)), "0.333")

BELOW_ZERO = AtMost(Real("x", most=0), left=lambda c, x: x, right=lambda c, x: -x)

TOLD = [
    (BELOW_ZERO, "−x"),
    (BELOW_ZERO, "|x|"),
    (BELOW_ZERO, "√(x²)"),
    (SMALL, "10^-9"),
    (SMALL, "1/1000000000"),
    (DOUBLE, "2ε1"),
    (DOUBLE, "a loss of 2·ε_1, attained"),
    (HALF, "loss ≤ ε1/2"),
    (ROOT, "0.70710678"),
    (ROOT, "1/√2"),
    (ROOT, "(1/2)·2^(1/2)"),
    (SCALE, "λ = ln(1+α)/ε1"),
    (LEAST, "least shift γ = 1/α"),
    (THIRD, "0.333"),
    (THIRD, "0.33333333333"),
]

NOT_TOLD = [
    (THIRD, "at most 0.3333"),
    (THIRD, "at least 0.334"),
    (ROOT, "x ≤ 0.7071"),
    (BELOW_ZERO, "−|x| + x"),
    (BELOW_ZERO, "√x"),
    (POWERS, "10^-9"),
    (POWERS, "10^9"),
    (POWERS, "9/10"),
    (POWERS, "9"),
    (SMALL, "10^-8"),
    (SMALL, "−10^-9"),
    (DOUBLE, "ε1"),
    (DOUBLE, "ε2"),
    (DOUBLE, "2"),
    (DOUBLE, "2·(ε_1)^2"),
    (DOUBLE, "d·2ε1"),
    (DOUBLE, "some units·2ε1"),
    (DOUBLE, "2ε1·√d"),
    (DOUBLE, "Σ 2ε1"),
    (DOUBLE, "2ε1²"),
    (DOUBLE, "half of 2ε1"),
    (DOUBLE, "not 2ε1"),
    (DOUBLE, "more than 2ε1"),
    (DOUBLE, "2ε1 dozen"),
    (DOUBLE, "2ε1 + e^(-100)"),
    (HALF, "1/2ε1"),
    (HALF, "ε1"),
    (HALF, "α"),
    (ROOT, "0.7072"),
    (ROOT, "−0.70710678"),
    (ROOT, "0.70710678 for 3"),
    (ROOT, "a root of two"),
    (ROOT, "∞"),
    (ROOT, ""),
    (SCALE, "λ = ln(1+α)·ε1"),
    (LEAST, "least shift γ = α"),
    (THIRD, "1/2000"),
    (THIRD, "0.334"),
]


@pytest.mark.parametrize(
    ("statement", "value", "told"), [*((*one, True) for one in TOLD), *((*one, False) for one in NOT_TOLD)]
)
def test_a_value_that_an_object_tells_has_its_grade_and_another_is_prose(statement, value, told):
    assert tells([statement], value) is told


def test_a_value_of_another_number_is_graded_steps():
    piece = solver.proves(POWERS)
    assert graded(holds(piece, value="10^-9"), Stated((POWERS,), tight=(POWERS,))).value is Grade.STEPS
    shown = exact.decided(SMALL)
    assert graded(holds(shown, value="10^-9"), Stated((SMALL,), tight=(SMALL,))).value is Grade.PROOF


FALSE = AtMost(X, Real("ε_2", above=0), left=lambda c, x, e: x + 0 * e, right=lambda c, x, e: x * x)
AT = {"x": F(1, 2), "ε_2": F(1)}


def failed(typed):
    shown = exact.refuted(FALSE, x="1/2", ε_2=1)
    return settle(lambda: fails(shown, counterexample=typed), Stated((FALSE,))).verdict


@pytest.mark.parametrize(
    "typed", ["x = 1/2", "x = 0.5, ε2 = 1: 1/2 > 1/4", "2·x = 1", "x = 1; x = 1/2", "y = 3"]
)
def test_a_counterexample_at_the_point_of_its_evidence_stands(typed):
    assert not elsewhere(typed, AT)
    assert failed(typed).outcome is Outcome.FAILS


@pytest.mark.parametrize(
    "typed", ["x = 1/3", "x = 2: 2 > 4", "x = 1/2, ε2 = ln 3", "x = −1/2", "ε_2=2, x=1/2"]
)
def test_a_counterexample_at_another_point_unsettles(typed):
    assert elsewhere(typed, AT)
    assert failed(typed).outcome is Outcome.UNSETTLED
    assert "another point than that of its evidence" in failed(typed).condition


OTHER = AtMost(X, left=lambda c, x: x, right=lambda c, x: x * x)


@pytest.mark.parametrize("printed", [(POWERS,), (POWERS, DOUBLE)])
def test_a_refutation_of_another_object_unsettles(printed):
    found = settle(lambda: fails(exact.refuted(OTHER, x="1/2"), counterexample="x = 1/2"), Stated(printed))
    assert found.verdict.outcome is Outcome.UNSETTLED
    assert "its evidence refutes another statement" in found.verdict.condition
