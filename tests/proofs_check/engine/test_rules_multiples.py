"""No multiple of ε suffices: attacks for every multiple, and what is planted."""

from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest

from establish.proofs_check.engine.methods import solver
from establish.proofs_check.engine.rules import (
    RuleError,
    employer_by_employer,
    job_by_job,
    more_steps_than_any_multiple,
)
from establish.proofs_check.engine.statements import AtNoMultiple, Implies, StatementError
from establish.spec.relations.edge import Edge
from establish.spec.relations.node import Node
from establish.spec.relations.strong import Strong
from establish.spec.requirements import IndividualRequirement, ShapeRequirement, SizeRequirement

EDGE, STRONG = (lambda space, alpha: Edge(space)), (lambda space, alpha: Strong(space, alpha))
NODE = lambda space, alpha: Node(space)  # noqa: E731 (beside the other two)
SIZES, SHAPES = (
    (lambda space, alpha: SizeRequirement(space, alpha)),
    (lambda space, alpha: ShapeRequirement(space, alpha)),
)


def _statement(neighbors, requirement):
    return AtNoMultiple(Implies("planted", neighbors=neighbors, requirement=requirement))


def _derived(statement, by=job_by_job):
    owed = more_steps_than_any_multiple(statement)
    return by(statement, *map(solver.proves, owed))


@pytest.mark.parametrize("requirement", [SIZES, SHAPES])
def test_edge_privacy_has_an_attack_for_every_multiple_and_none_beyond_its_steps(requirement):
    statement = _statement(EDGE, requirement)
    assert _derived(statement).established is True
    assert _derived(replace(statement, over=2)).established is not True
    assert statement.search().found == ("twice the multiple",)


@pytest.mark.parametrize("requirement", [SIZES, SHAPES])
def test_the_attack_is_evaluated_by_the_exact_engine(requirement):
    statement = _statement(EDGE, requirement)
    assert statement.at({"α": Fraction(1), "k": 1}).value is True
    assert replace(statement, over=2).at({"α": 1, "k": 1}).value is False
    for wrong in ({"α": 0, "k": 1}, {"α": 1, "k": 0}, {"k": 1}):
        with pytest.raises(StatementError):
            statement.at(wrong)


# Each employer of whom an attacker may think is one more step.
def test_node_privacy_has_an_attack_on_sizes_for_every_multiple():
    statement = _statement(NODE, SIZES)
    assert _derived(statement, employer_by_employer).established is True
    assert _derived(replace(statement, over=2), employer_by_employer).established is not True
    assert statement.search().found == ("twice the multiple",)
    assert statement.at({"α": Fraction(1, 2), "k": 1}).value is True
    assert replace(statement, over=2).at({"α": 1, "k": 1}).value is False


def test_each_rule_takes_its_own_neighbors():
    with pytest.raises(RuleError, match="differ in more than one job"):
        _derived(_statement(NODE, SIZES))
    with pytest.raises(RuleError, match="do not differ in one employer"):
        _derived(_statement(EDGE, SIZES), employer_by_employer)


def test_shapes_under_node_privacy_have_no_such_attack():
    with pytest.raises(StatementError, match="no attack is known"):
        _statement(NODE, SHAPES)


def test_neighbors_that_change_a_share_of_the_jobs_are_refused():
    statement = _statement(STRONG, SIZES)
    assert statement.search().refuted, "one establishment grows by a share in one step"
    with pytest.raises(RuleError, match="differ in more than one job"):
        more_steps_than_any_multiple(statement)


def test_a_requirement_on_one_record_is_refused():
    with pytest.raises(StatementError, match="no attack is known"):
        _statement(EDGE, lambda space, alpha: IndividualRequirement(space))


def _helped(space, alpha):
    return Strong(space, alpha) if alpha < 1 else Edge(space)


@pytest.mark.parametrize(
    ("neighbors", "requirement"),
    [
        (EDGE, lambda s, a: SizeRequirement(s, a) if a >= Fraction(1, 2) else IndividualRequirement(s)),
        (lambda s, a: _helped(s, a), SIZES),
        (lambda s, a: (Strong(s, a), Edge(s))[bool(int(a * 2))], SIZES),
        (lambda s, a: [Strong(s, a), *(Edge(s) for _ in range(int(2 * a)))][-1], SIZES),
        (partial(_helped), SIZES),
    ],
)
def test_neighbors_and_requirements_that_depend_on_the_growth_are_refused(neighbors, requirement):
    with pytest.raises(StatementError, match="no attack is known"):
        _statement(neighbors, requirement)
