"""A second opinion belongs to a question, and is told as what it is."""

import re

import pytest

from establish import AtMost, Real, solver
from establish.proofs_check.engine import opinions
from establish.proofs_check.engine.grades import Stated
from establish.proofs_check.engine.register import Claim
from establish.proofs_check.engine.verdicts import holds

TRUE = AtMost(Real("x"), left=lambda c, x: 2 * x, right=lambda c, x: x * x + 1)
OTHER = AtMost(Real("x"), left=lambda c, x: -2 * x, right=lambda c, x: x * x + 1)


def stating(*statements):
    return Claim("mine/one", "1", "A.", lambda: holds(solver.proves(TRUE)), stated=Stated(statements))


def question(*statements):
    return opinions.question_of([each.identity for each in statements])


@pytest.mark.parametrize(
    ("opinion", "told"),
    [
        ({}, "none was asked"),
        ({question(TRUE): "rechecked"}, "shows it again from its exported steps"),
        ({question(TRUE): "solver, pointwise"}, "one opinion only: .* the word of solver, pointwise"),
        ({question(OTHER): "rechecked"}, "none was asked"),
        ({question(TRUE, OTHER): "rechecked"}, "none was asked"),
    ],
)
def test_an_opinion_is_on_what_a_claim_states(opinion, told, monkeypatch):
    monkeypatch.setattr(opinions, "recorded", lambda: opinion)
    assert re.search(told, opinions.told(stating(TRUE)))


def test_a_question_has_no_order():
    assert question(TRUE, OTHER) == question(OTHER, TRUE) != question(TRUE)


def test_the_table_is_read_as_it_is_written():
    table = {"b" * 16: "rechecked", "a" * 16: "solver, pointwise"}
    assert opinions.parse(opinions.write(table)) == table
    assert opinions.write(table).splitlines()[1].startswith("aaa")
    with pytest.raises(ValueError, match="must have the columns"):
        opinions.parse("claim,opinion\n")
