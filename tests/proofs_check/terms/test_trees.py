"""Formulas become trees, with both sides of every branch; what is no tree is refused with a reason."""

import math
from fractions import Fraction as F

import mpmath
import numpy
import pytest
import sympy

from establish.proofs_check.terms.formula import Tree, tree_of
from establish.proofs_check.terms.reify import TERMS, reify
from establish.proofs_check.terms.trees import UNDEFINED, NotATerm, lift, node, put, variable
from establish.spec.arithmetic import ARB, EXACT, MP, enclosing

X, Y, N = variable("x"), variable("y"), variable("n", "ℤ")


def test_the_same_formula_is_the_same_object():
    first = reify(lambda c, x: c.log(1 + x) / 2, X)
    assert first is reify(lambda c, y: c.log(1 + y) / c.number(2), X)
    assert first is not reify(lambda c, x: c.log(x + 1) / 2, X)


def test_a_term_does_not_change():
    with pytest.raises(AttributeError, match="does not change"):
        X.op = "number"


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        (lambda c, x: x * math.sqrt(2), "float"),
        (lambda c, x: x + 0.5, "float"),
        (lambda c, x: 0.1 * x, "float"),
        (lambda c, x: math.sqrt(x), "has no size"),
        (lambda c, x: float(x), "has no size"),
        (lambda c, x: round(x), "has no size"),
        (lambda c, x: sum(1 for _ in range(x)), "has no size"),
        (lambda c, x: [1, 2, 3][x], "has no size"),
        (lambda c, x: len(x), "has no size"),
        (lambda c, x: sum(x), "has no size"),
        (lambda c, x: x or 1, "neither true nor false"),
        (lambda c, x: x * mpmath.mpf(2), "no exact number|cannot"),
        (lambda c, x: x * sympy.sqrt(2), "no exact number"),
        (lambda c, x: x * numpy.float64(2), "no exact number|float"),
        (lambda c, x: x + True, "bool"),
        (lambda c, x: x + "1", "str"),
        (lambda c, x: None, "NoneType"),
        (lambda c, x: c.maximum(x), "maximum has 2 arguments"),
        (lambda c, x: 1 // 0 + x, "ZeroDivisionError"),
        (lambda c, x: x if hasattr(c, "facts") else 0, "hasattr"),
        (lambda c, x: x if type(c).__name__ == "Reading" else 0, "type"),
    ],
)
def test_what_is_no_tree_is_refused_with_the_node_and_the_reason(formula, said):
    with pytest.raises((NotATerm, TypeError), match=said):
        tree_of(formula, [X])


def test_both_sides_of_a_branch_stay():
    tree = reify(lambda c, x: c.number(2) if x == 12345 else x / (1 + x), X)
    assert tree.op == "where"
    assert tree.args[1] is lift(2)
    assert reify(lambda c, x: max(x, 5), X).op == "where"
    assert reify(lambda c, x: min(7, max(7, 7)) if x < 3 else 14 // 2, X) is lift(7)


def test_a_chain_of_comparisons_is_two_branches():
    tree = reify(lambda c, x: 1 if F(1, 3) < x < F(2, 3) else 0, X)
    assert [t.op for t in (tree, tree.args[1])] == ["where", "where"]


def test_a_question_is_asked_once_on_a_path():
    tree = reify(lambda c, x: (1 if x > 0 else 0) + (1 if not x <= 0 else 0), X)
    assert (
        tree is reify(lambda c, x: c.where(x > 0, c.number(1) + 1, c.number(0) + 0), X) or tree.op == "where"
    )
    assert tree.args[1].op == "number" or tree.args[1].args[0].op == "number"


def test_a_guard_that_raises_is_undefined_on_its_side():
    def guarded(c, x):
        if x < 0:
            raise ValueError("negative")
        return c.sqrt(x)

    assert reify(guarded, X).args[1] is UNDEFINED


def test_too_many_branches_are_refused():
    def many(c, x):
        return sum((1 if x == i else 0) for i in range(200))

    with pytest.raises(NotATerm, match="more than 64 branches"):
        reify(many, X)


def test_a_formula_cannot_catch_the_fork():
    def catches(c, x):
        try:
            return 1 if x > 0 else 2
        except Exception:
            return 3

    assert reify(catches, X).op == "where"


FORMULAS = [
    (lambda c, x, y: x * y - c.power(x, 3) / 7, ("1/3", "5")),
    (lambda c, x, y: c.maximum(x, y) + abs(x - y), ("-2", "5/4")),
    (lambda c, x, y: x if x < y else y * 2, ("7", "3")),
    (lambda c, x, y: c.sign(x) * c.absolute(y) ** 2, ("-1/9", "3")),
    (lambda c, x, y: c.exp(x) * c.log(1 + y), ("1/2", "2")),
    (lambda c, x, y: c.sqrt(c.pi + x * x) - c.erf(y), ("1/2", "2")),
    (lambda c, x, y: c.sin(x) / (2 + c.power(y, F(1, 2))), ("1/2", "2")),
]


@pytest.mark.parametrize(("formula", "at"), FORMULAS)
def test_a_tree_has_the_values_of_its_formula_in_every_world(formula, at):
    tree, point = tree_of(formula, [X, Y]), [F(a) for a in at]
    assert isinstance(tree, Tree)
    with enclosing():
        balls = [ARB.number(p) for p in point]
        assert ARB.number(formula(ARB, *balls)).overlaps(tree(ARB, *balls))
    numbers = [MP.number(p) for p in point]
    assert abs(formula(MP, *numbers) - tree(MP, *numbers)) < MP.mp.mpf(10) ** -50
    try:
        exact = formula(EXACT, *point)
    except TypeError:
        with pytest.raises(TypeError):
            tree(EXACT, *point)
    else:
        assert tree(EXACT, *point) == exact


def test_terms_are_put_in_the_place_of_variables_and_branches_that_are_decided_fall():
    tree = reify(lambda c, x: c.number(1) if x > 3 else c.log(x), X)
    assert put(tree, {id(X): lift(5)}) is lift(1)
    assert put(tree, {id(X): lift(2)}) is node("log", lift(2))
    assert put(tree, {id(X): Y}).args[2] is TERMS.log(Y)
    assert N is not variable("n", "ℝ")
