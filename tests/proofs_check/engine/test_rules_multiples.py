"""No multiple of ε suffices: attacks for every multiple, and what is planted."""

from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest

from establish.proofs_check.engine.methods import solver
from establish.proofs_check.engine.rules import (
    RuleError,
    all_or_nobody,
    employer_by_employer,
    job_by_job,
    more_steps_than_any_multiple,
)
from establish.proofs_check.engine.statements import AtNoMultiple, Implies, StatementError
from establish.spec.relations.edge import Edge
from establish.spec.relations.node import Node
from establish.spec.relations.strong import Strong
from establish.spec.relations.substitution import JobSubstitution
from establish.spec.relations.weak import Weak
from establish.spec.requirements import IndividualRequirement, ShapeRequirement, SizeRequirement

EDGE, STRONG = (lambda space, alpha: Edge(space)), (lambda space, alpha: Strong(space, alpha))
NODE, WEAK = (lambda space, alpha: Node(space)), (lambda space, alpha: Weak(space, alpha))
SIZES, SHAPES = (
    (lambda space, alpha: SizeRequirement(space, alpha)),
    (lambda space, alpha: ShapeRequirement(space, alpha)),
)


RECORDS = lambda space, alpha: IndividualRequirement(space)  # noqa: E731 (beside the other two)


def _statement(neighbors, requirement, attackers="informed"):
    return AtNoMultiple(Implies("planted", neighbors=neighbors, requirement=requirement, attackers=attackers))


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


# Each employer of whom an attacker may think is one more step, also where a step may hire several workers.
@pytest.mark.parametrize("neighbors", [NODE, STRONG, WEAK])
def test_a_step_at_one_employer_leaves_an_attack_on_sizes_for_every_multiple(neighbors):
    statement = _statement(neighbors, SIZES)
    assert _derived(statement, employer_by_employer).established is True
    assert _derived(replace(statement, over=2), employer_by_employer).established is not True
    assert statement.search().found == ("twice the multiple",)
    assert statement.at({"α": Fraction(1, 2), "k": 1}).value is True
    assert replace(statement, over=2).at({"α": 1, "k": 1}).value is False


def test_each_rule_takes_its_own_neighbors():
    with pytest.raises(RuleError, match="not an attack job by job"):
        _derived(_statement(NODE, SIZES))
    with pytest.raises(RuleError, match="not an attack employer by employer"):
        _derived(_statement(EDGE, SIZES), employer_by_employer)
    together = _statement(EDGE, RECORDS, "correlated")
    for by in (job_by_job, employer_by_employer):
        with pytest.raises(RuleError, match="not an attack"):
            _derived(together, by)
    with pytest.raises(RuleError, match="do not come together"):
        _derived(_statement(EDGE, SIZES), all_or_nobody)


@pytest.mark.parametrize("neighbors", [NODE, STRONG, WEAK])
def test_shapes_have_no_such_attack(neighbors):
    with pytest.raises(StatementError, match="no attack is known"):
        _statement(neighbors, SHAPES)


def test_neighbors_that_may_differ_in_several_employers_are_refused():
    statement = _statement(lambda space, alpha: JobSubstitution(space), SIZES)
    with pytest.raises(RuleError, match="may differ in several employers"):
        more_steps_than_any_multiple(statement)


# By hand: k + 1 employers go from one worker to none, one step each; the factor is 2^(k + 1) at e^ε = 2.
@pytest.mark.parametrize("neighbors", [EDGE, STRONG, WEAK])
def test_workers_who_come_together_are_told_apart_at_every_multiple(neighbors):
    statement = _statement(neighbors, RECORDS, "correlated")
    assert _derived(statement, all_or_nobody).established is True
    assert _derived(replace(statement, over=2), all_or_nobody).established is not True
    assert statement.search().found == ("twice the multiple",)
    assert "8 against c^2 = 4" in statement.at({"α": 1, "k": 2}).shown
    assert "an attacker to whom workers are correlated" in statement.text


@pytest.mark.parametrize("attackers", ["informed", "correlated"])
def test_a_requirement_without_an_attack_is_refused(attackers):
    with pytest.raises(StatementError):
        _statement(EDGE, RECORDS if attackers == "informed" else SIZES, attackers)


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
