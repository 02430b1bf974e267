"""Two laws of finitely many outcomes: what is stated, what refutes it, and what the rule refuses."""

from fractions import Fraction as F
from math import inf

import pytest

from establish import OfFiniteLaws, Real, StatementError, exact, guarantees, rules, solver

P, A = Real("p", above=0, below=1), Real("a", above=1)


def coins(*variables, has, **how):
    """Randomized response that tells the truth with probability p."""
    return OfFiniteLaws(
        *variables, first=lambda c, p, *_: (p, 1 - p), second=lambda c, p, *_: (1 - p, p), has=has, **how
    )


def moment(c, p, a):
    return c.power(p, a) * c.power(1 - p, 1 - a) + c.power(1 - p, a) * c.power(p, 1 - a)


def at_a(most):
    return guarantees.renyi(lambda c, p, a: a, most)


def mean(c, p):
    return (2 * p - 1) * c.log(p / (1 - p))


def loss(c, p):
    return c.log(p) - c.log(1 - p)


def shown(statement):
    return rules.outcome_by_outcome(statement, *map(solver.shows, rules.of_outcomes(statement)))


HALF = Real("p", least="1/2", below=1)


TRUE = {
    "order a": lambda: coins(P, A, has=at_a(lambda c, p, a: c.log(moment(c, p, a)) / (a - 1))),
    "order 1": lambda: coins(P, has=guarantees.mean_loss(mean)),
    "order ∞": lambda: coins(HALF, has=guarantees.renyi(inf, loss)),
    "δ at 0": lambda: coins(HALF, has=guarantees.approximate(0, lambda c, p: 2 * p - 1)),
    "at least a loss": lambda: coins(P, has=guarantees.renyi(inf, loss), relation=">="),
    "three outcomes": lambda: OfFiniteLaws(
        Real("δ", above=0, below=1),
        first=lambda c, d: (1 - d, d / 2, d / 2),
        second=lambda c, d: (1 - d, d / 3, 2 * d / 3),
        has=guarantees.approximate(0, lambda c, d: d / 6),
    ),
}


@pytest.mark.parametrize("made", TRUE.values(), ids=TRUE)
def test_closed_forms_are_shown_and_their_neighbors_refuted(made):
    stated = made()
    assert shown(stated).established
    found = stated.search()
    assert not found.refuted
    assert found.sees


FALSE = {
    "the order turned": lambda: coins(P, A, has=at_a(lambda c, p, a: c.log(moment(c, p, a)) / a)),
    "half the mean": lambda: coins(P, has=guarantees.mean_loss(lambda c, p: mean(c, p) / 2)),
    "order ∞ at every p": lambda: coins(P, has=guarantees.renyi(inf, loss)),
    "no less at every order": lambda: coins(P, A, has=at_a(lambda c, p, a: a / 2), relation=">="),
    "δ of the other sign": lambda: coins(P, has=guarantees.approximate(0, lambda c, p: 2 * p - 1)),
    "δ at level 1": lambda: coins(HALF, has=guarantees.approximate(1, lambda c, p: 2 * p - 1)),
    "at most": lambda: coins(HALF, has=guarantees.renyi(inf, lambda c, p: loss(c, p) / 2), relation="<="),
}


@pytest.mark.parametrize("made", FALSE.values(), ids=FALSE)
def test_a_false_value_is_refuted_and_not_shown(made):
    stated = made()
    assert stated.search().refuted
    assert shown(stated).established is not True


def test_a_law_whose_probabilities_sum_to_more_beyond_the_simple_points_is_not_shown():
    def first(c, p):
        return p, 1 - p + c.maximum(c.number(0), p - F(999999, 1000000))

    stated = OfFiniteLaws(P, first=first, second=lambda c, p: (1 - p, p), has=guarantees.mean_loss(mean))
    assert shown(stated).established is not True


def test_a_point_is_counted_in_arb():
    # By hand: D_2 of coins 3/4 and 1/4 is ln(9/4 + 1/12) = ln(7/3), and so more than 84/100.
    stated = coins(P, A, has=at_a(lambda c, p, a: c.number(F(84, 100))), relation="<=")
    assert exact.refuted(stated, p="3/4", a=2).established
    more = coins(P, A, has=at_a(lambda c, p, a: c.number(F(85, 100))), relation="<=")
    assert more.at({"p": F(3, 4), "a": 2}).value


def test_the_text_names_both_laws():
    stated = coins(P, has=guarantees.mean_loss(lambda c, p: 1 / p), relation="<=")
    assert stated.text == "for all 0 < p < 1: KL(P‖Q) is at most 1/p, for P = (p, 1 − p) and Q = (1 − p, p)"


MISUSED = {
    "a word for all orders": ({"has": guarantees.concentrated(1)}, "has = "),
    "no relation": ({"relation": "<"}, "relation = '<'"),
    "a number": ({"first": lambda c, p: p}, "first must give the probabilities"),
    "outcomes": ({"second": lambda c, p: (p / 2, p / 2, 1 - p)}, "2 outcomes, and second 3"),
    "a sum of 2": ({"second": lambda c, p: (p, 2 - p)}, "sum to 1, and"),
    "a probability of 0": ({"second": lambda c, p: (p - p, p - p + 1)}, "above 0"),
    "unused": (
        {
            "second": lambda c, p: (c.number(1) / 2, c.number(1) / 2),
            "first": lambda c, p: (c.pi / 4, 1 - c.pi / 4),
        },
        "never used",
    ),
}


@pytest.mark.parametrize(("changed", "said"), MISUSED.values(), ids=MISUSED)
def test_what_cannot_be_stated_is_refused(changed, said):
    right = {
        "first": lambda c, p: (p, 1 - p),
        "second": lambda c, p: (1 - p, p),
        "has": guarantees.mean_loss(1),
    }
    with pytest.raises(StatementError, match=said):
        OfFiniteLaws(P, **{**right, **changed})


TINY = F(1, 2**200)


@pytest.mark.parametrize(
    "first",
    [
        lambda c, x: (F(1, 3) + TINY, F(2, 3) + 0 * x),
        lambda c, x: (F(1, 2) - F(1, 2**97) + 0 * x, F(1, 2)),
        lambda c, x: (c.sqrt(2) / 2 + TINY + 0 * x, 1 - c.sqrt(2) / 2),
    ],
)
def test_probabilities_that_sum_to_nearly_1_are_no_law(first):
    with pytest.raises(StatementError, match="sum to 1"):
        OfFiniteLaws(
            Real("x", above=0),
            first=first,
            second=lambda c, x: (F(1, 2), F(1, 2)),
            has=guarantees.mean_loss(1),
            relation="<=",
        )


def test_a_parameter_is_not_called_what_the_text_calls_something_else():
    with pytest.raises(StatementError, match="a parameter is called 'e'"):
        coins(Real("e", above=0, below=1), has=guarantees.mean_loss(mean))
