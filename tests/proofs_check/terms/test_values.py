"""Values of trees: fractions as long as they can be, balls after, and NaN stays NaN."""

from fractions import Fraction as F

import flint
import pytest

from establish.proofs_check.terms.reify import TERMS as c
from establish.proofs_check.terms.reify import reify
from establish.proofs_check.terms.trees import UNDEFINED, Prop, lift, variable, where
from establish.proofs_check.terms.values import compared, finite, values

X = variable("x")


def value(term, x=None):
    with flint.ctx.workprec(128):
        return values([term], {} if x is None else {id(X): x})[0]


def test_rationals_stay_exact_through_all_that_keeps_them():
    tree = reify(lambda c, x: c.maximum(x, 2) ** 3 / 7 - abs(x) + c.sign(x), X)
    assert value(tree, F(-1, 3)) == F(8, 7) - F(1, 3) - 1


NOT_FINITE = {
    "1/0": 1 / (X - X),
    "ln 0": c.log(X - X),
    "ln of −1": c.log(X - 2),
    "√ of −1": c.sqrt(X - 2),
    "0 to the power −1": c.power(X - X, -1),
    "−1 to the power 1/2": c.power(X - 2, F(1, 2)),
    "erfinv 1": c.erfinv(X),
    "ln Γ(0)": c.log_gamma(X - X),
    "ln Γ(−1/2)": c.log_gamma(X - F(3, 2)),
    "no value": UNDEFINED,
    "ψ, of which nothing is known": c.psi(X),
}
AROUND = {
    "as it is": lambda t: t,
    "times 0": lambda t: 0 * t,
    "its sign": lambda t: c.sign(t),
    "to the power 0": lambda t: c.power(t, 0),
    "0 to its power": lambda t: c.power(lift(0), t),
    "1 to its power": lambda t: c.power(lift(1), t),
    "a maximum": lambda t: c.maximum(t, lift(10)),
    "its whole part": lambda t: c.sign(t.__floor__()),
    "minus itself": lambda t: t - t,
    "the condition of a branch": lambda t: where(Prop(t, "<", lift(0)), lift(1), lift(1) + 0),
    "the side of a branch that is taken": lambda t: where(
        Prop(X, ">".replace(">", "=="), lift(1)), t, lift(1)
    ),
}


@pytest.mark.parametrize("name", NOT_FINITE)
@pytest.mark.parametrize("around", AROUND)
def test_what_has_no_value_makes_all_around_it_have_none(name, around):
    assert not finite(value(AROUND[around](NOT_FINITE[name]), F(1)))


@pytest.mark.parametrize("name", NOT_FINITE)
def test_the_side_of_a_branch_that_is_not_taken_may_have_no_value(name):
    assert value(where(Prop(X, "==", lift(2)), NOT_FINITE[name], lift(5)), F(1)) == 5


def test_an_undecided_branch_is_the_hull_of_both_sides():
    tree = reify(lambda c, x: c.number(1) if x < F(1, 2) else c.number(3), X)
    found = value(tree, flint.arb(0).union(flint.arb(1)))
    assert found.contains(1)
    assert found.contains(3)
    assert value(tree, flint.arb(0).union(flint.arb(F(1, 4).numerator) / 4)) == 1


@pytest.mark.parametrize(
    ("left", "relation", "right"),
    [
        (c.log(lift(3)) + c.log(lift(4)), "<=", c.log(lift(12))),
        (c.sqrt(lift(2)) * c.sqrt(lift(2)), "==", lift(2)),
        (c.log(lift(8)) / c.log(lift(2)), "<=", lift(3)),
        (c.exp(c.log(lift(5))), "<", lift(5)),
    ],
)
def test_balls_that_touch_decide_nothing(left, relation, right):
    assert compared(Prop(left, relation, right), {}).truth is None


def test_near_numbers_are_told_apart_at_more_bits():
    near = lift(F(1) + F(1, 10**200))
    found = compared(Prop(c.exp(c.log(lift(1) + 0)), "<", c.exp(lift(0)) * near), {})
    assert found.truth is True
    assert not found.exact
