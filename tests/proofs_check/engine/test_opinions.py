"""A second opinion belongs to a question, and is told as what it is."""

import json
import re
from functools import cache

import pytest

from establish import AtMost, Real, holds, solver
from establish.proofs_check.engine import opinions
from establish.proofs_check.engine.grades import Stated
from establish.proofs_check.engine.register import Claim, claims
from establish.proofs_check.export.proofs import proof_of
from establish.proofs_check.recheck.checking import recheck

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
        opinions.parse("claim,opinion,program\n")


def test_what_another_program_said_is_no_opinion():
    written = opinions.write({question(TRUE): "rechecked"})
    assert opinions.parse(written.replace(opinions.program(), "0" * 16)) == {}


def test_the_project_keeps_opinions_of_the_program_as_it_is():
    assert opinions.recorded(), "run make second"


@cache
def asked():
    """The claims by what they state."""
    own = (entry for entry in claims().values() if not entry.same_as)
    return {question(*entry.stated.printed): entry for entry in own}


@pytest.mark.few(0, 3)
@pytest.mark.parametrize("question", opinions.recorded())
def test_an_opinion_is_what_the_program_says(question, tmp_path):
    file = tmp_path / "proof.json"
    file.write_text(json.dumps(proof_of(asked()[question])), "utf-8")
    said = ", ".join(recheck(file).believed) or opinions.RECHECKED
    assert said == opinions.recorded()[question]
