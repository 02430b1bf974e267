"""What a tree owes to have values, and what signs alone show: never more than is true at any point."""

import random
from fractions import Fraction as F

import pytest

from establish.proofs_check.terms.owed import obligations, owed, whole
from establish.proofs_check.terms.reify import TERMS as c
from establish.proofs_check.terms.reify import reify
from establish.proofs_check.terms.sentence import Sentence
from establish.proofs_check.terms.signs import follows, signs_known
from establish.proofs_check.terms.trees import Prop, lift, variable, where
from establish.proofs_check.terms.values import compared

X, Y, N = variable("x"), variable("y"), variable("n", "ℤ")


def needs(term):
    return [tuple((p.left, p.relation, p.right) for p in need) for _, need in owed(term)]


@pytest.mark.parametrize(
    ("term", "count"),
    [
        (c.log(X), 1),
        (c.log(c.log(X)), 2),
        (1 / X, 1),
        (X / 2, 0),
        (c.power(X, 2), 0),
        (c.power(X, N), 1),
        (c.power(X, -1), 1),
        (c.power(X, F(1, 2)), 1),
        (c.power(lift(2), X), 0),
        (c.sqrt(X) * c.sqrt(X), 1),
        (c.erfinv(X), 2),
        (c.beta_share(X, Y, N), 4),
        (c.exp(X) + abs(X) + c.sign(X), 0),
        (c.log(lift(5)) + 1 / lift(3), 0),
        (c.log_gamma(X), 1),
        (reify(lambda c, x: c.log(x) if x > 0 else c.number(0), X), 1),
    ],
)
def test_every_partial_node_owes_once(term, count):
    assert len(needs(term)) == count


def test_what_stands_on_one_side_of_a_branch_is_owed_there_alone():
    ((under, _),) = owed(reify(lambda c, x: c.log(x) if x > 0 else c.number(0), X))
    assert [p.key for p in under] == [Prop(lift(0), "<", X).key]


def test_bounds_owe_under_those_before_them():
    sentence = Sentence((X, Y), (Prop(lift(0), "<", X), Prop(Y, "<", c.log(X))), Prop(Y, "<", X))
    (one,) = obligations(sentence)
    assert [p.key for p in one.given] == [Prop(lift(0), "<", X).key]


@pytest.mark.parametrize(
    ("term", "known"),
    [
        (N + 1, True),
        (N * N - 3, True),
        (N / 2, False),
        (X, False),
        (c.power(N, 2), True),
        (c.power(N, N), False),
    ],
)
def test_whole_values_are_seen_on_the_tree(term, known):
    assert whole(term) is known


POSITIVE = (Prop(lift(0), "<", X), Prop(lift(0), "<=", Y))
SHOWN = {
    "1 + x + y > 0": (POSITIVE, Prop(lift(0), "<", 1 + X + Y)),
    "ln(1 + x) > 0": (POSITIVE, Prop(lift(0), "<", c.log(1 + X))),
    "2·ln(1 + x)/e^y ≠ 0": (POSITIVE, Prop(2 * c.log(1 + X) / c.exp(Y), "!=", lift(0))),
    "2·x^(1/n) < 2 for 0 < x < 1 ≤ n": (
        (Prop(lift(0), "<", X), Prop(X, "<", lift(1)), Prop(lift(1), "<=", N)),
        Prop(2 * c.power(X, 1 / N) - 1, "<", lift(1)),
    ),
    "e^x > 1": (POSITIVE, Prop(lift(1), "<", c.exp(X))),
    "(x − y)² ≥ 0": ((), Prop(lift(0), "<=", (X - Y) * (X - Y))),
    "x − 1 > 0 for x > 1": ((Prop(lift(1), "<", X),), Prop(lift(0), "<", X - 1)),
    "sin(π/x) > 0 for x > 1": ((Prop(lift(1), "<", X),), Prop(lift(0), "<", c.sin(c.pi / X))),
}
UNKNOWN = {
    "x > 0 of any x": ((), Prop(lift(0), "<", X)),
    "y > 0 of y ≥ 0": (POSITIVE, Prop(lift(0), "<", Y)),
    "x − y > 0": (POSITIVE, Prop(lift(0), "<", X - Y)),
    "ln x > 0": (POSITIVE, Prop(lift(0), "<", c.log(X))),
    "x² > 0 of any x": ((), Prop(lift(0), "<", X * X)),
    "sin x > 0": (POSITIVE, Prop(lift(0), "<", c.sin(X))),
    "1500 − x ≠ 0": (POSITIVE, Prop(1500 - X, "!=", lift(0))),
}


@pytest.mark.parametrize("name", SHOWN)
def test_signs_show(name):
    assert follows(*SHOWN[name])


@pytest.mark.parametrize("name", UNKNOWN)
def test_signs_do_not_show_what_is_false_somewhere(name):
    assert not follows(*UNKNOWN[name])


def _drawn(draw, deep):
    if not deep or draw.random() < 0.2:
        return draw.choice([X, Y, lift(draw.choice([0, 1, -1, 2, F(1, 2), F(-3, 2)]))])
    one, two = _drawn(draw, deep - 1), _drawn(draw, deep - 1)
    return draw.choice(
        [
            *(lambda: one + two, lambda: one - two, lambda: one * two, lambda: one / two, lambda: -one),
            *(lambda: abs(one), lambda: c.exp(one), lambda: c.log(one), lambda: c.sqrt(one)),
            *(
                lambda: c.maximum(one, two),
                lambda: c.sign(one),
                lambda: c.power(one, draw.choice([2, 3, -1])),
            ),
            lambda: one * one,
        ]
    )()


def test_no_sign_is_shown_that_a_point_contradicts():
    draw = random.Random(1)
    points = [F(a, 2) for a in range(-4, 5)]
    shown = 0
    for _ in range(1500):
        given = tuple(
            Prop(_drawn(draw, 1), draw.choice(["<", "<=", "==", "!="]), _drawn(draw, 1))
            for _ in range(draw.randrange(3))
        )
        said = Prop(_drawn(draw, 3), draw.choice(["<", "<=", "==", "!="]), _drawn(draw, 2))
        if not follows(given, said):
            continue
        shown += 1
        for _ in range(12):
            at = {id(X): draw.choice(points), id(Y): draw.choice(points)}
            if all(compared(p, at).truth for p in given):
                assert compared(said, at).truth is not False, (given, said, at)
    assert shown > 100


def test_what_is_told_of_functions_beside_is_true_and_stays_out_of_branches():
    below = c.log(1 + X) + where(Prop(lift(5), "<", X), c.sqrt(X - 5), lift(0))
    told = signs_known((Prop(lift(0), "<", X),), [below])
    assert [p.key for p in told] == [Prop(lift(0), "<", c.log(1 + X)).key]
