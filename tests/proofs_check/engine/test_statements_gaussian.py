"""Statements on Gaussian privacy, on composition and on every neighbor function: what is false is seen."""

from fractions import Fraction as F

import pytest
import z3

from establish import Rational, Real, RuleError, StatementError, exact, rules, solver, symbolic
from establish.proofs_check.engine.methods.reading import Reading
from establish.proofs_check.engine.statements import Composes, EveryPsi, Gedp
from establish.spec.mechanisms.psi_mechanism import PsiMechanism
from establish.spec.neighbor_functions.functions import identity, logarithm, root


def psi_mechanism(share=F(1), answers=1, real=True):
    """The ψ-mechanism with budget μ, said to be share·μ-GEDP; ``answers`` of them for one attribute each."""
    return Gedp(
        Rational("γ", above=0),
        Rational("μ", above=0),
        name="M",
        answers=lambda psi, gamma, mu: [(i, PsiMechanism(psi, gamma, mu)) for i in range(answers)],
        gamma=lambda gamma, mu: gamma,
        level=lambda c, gamma, mu: c.number(mu) * c.number(share),
        real=real,
    )


def squared(c, spent, mu):
    return spent + mu * mu


def root_of(c, spent):
    return c.sqrt(spent)


def shown(statement):
    return rules.shifted_normals(statement, *map(solver.proves, rules.shift_obligations(statement)))


@pytest.mark.parametrize("real", [True, False])
def test_the_psi_mechanism_is_private_and_its_search_sees_a_hundredth_less(real):
    statement = psi_mechanism(real=real)
    assert shown(statement).established is True
    assert statement.search().found == ("level times 99/100",)


def test_a_smaller_level_is_refuted_by_the_search_and_not_derived():
    statement = psi_mechanism(F(9, 10))
    assert statement.search().refuted
    assert shown(statement).established is not True


def test_two_attributes_that_change_at_once_cost_more_than_one_answer():
    statement = psi_mechanism(answers=2)
    assert "> 1.0" in statement.search().refuted
    with pytest.raises(RuleError, match="one answer"):
        rules.shift_obligations(statement)


def test_a_sequence_owes_each_answer_and_the_composition():
    statement = psi_mechanism(answers=2)
    composition = Composes(squared, root_of)
    wrong = solver.proves(rules.total_of(statement, composition))
    assert wrong.established is not True  # √2·μ is more than μ
    found = rules.in_sequence(statement, composition, wrong)
    assert found.established is None
    assert "has no proof" in found.witness


def test_a_point_of_the_statement_is_evaluated_in_the_mechanism():
    statement = psi_mechanism()
    point = {"ψ": root(), "γ": 1, "μ": 1, "x": 4, "y": 9}
    assert exact.refuted(statement, **point).established is False
    assert exact.refuted(psi_mechanism(F(1, 2)), **point).established is True
    with pytest.raises(StatementError, match="not close"):
        statement.at({**point, "y": 10})
    with pytest.raises(StatementError, match="not close"):
        statement.at({**point, "ψ": logarithm()})


@pytest.mark.parametrize("choice", [False, True])
def test_budgets_compose_by_squares_and_the_search_sees_a_hundredth_less(choice):
    statement = Composes(squared, root_of, choice=choice)
    lemmas = map(symbolic.proves, rules.composition_lemmas(statement))
    assert rules.adaptive_normals(statement, *lemmas).established is True
    assert statement.search().found == ("total times 99/100",)


def test_the_largest_budget_is_no_total():
    largest = Composes(lambda c, spent, mu: c.maximum(spent, mu), lambda c, spent: spent)
    assert "> 1.0" in largest.search().refuted
    assert largest.at({"first": 1, "low": 1, "high": 1}).value is False
    assert symbolic.proves(rules.composition_lemmas(largest)[1]).established is not True


def distances(sign):
    """|ψ(x+1) − ψ(y+1)| against |ψ(x) − ψ(y)|."""
    return EveryPsi(
        Real("x", least=0),
        Real("y", least=0),
        left=lambda psi, c, x, y: c.absolute(psi.value(x + 1, c) - psi.value(y + 1, c)),
        relation=sign,
        right=lambda psi, c, x, y: c.absolute(psi.value(x, c) - psi.value(y, c)),
    )


def test_concavity_brings_values_closer_for_every_psi():
    statement = distances("<=")
    assert rules.any_psi(statement, solver.proves(statement.arbitrary)).established is True
    assert statement.search().sees


def test_the_other_way_round_is_refuted_and_strictness_fails_for_the_identity():
    assert distances(">=").search().refuted
    strict = distances("<")
    assert "x = 0, y = 0" in strict.search().refuted
    assert exact.refuted(strict, ψ=identity(), x=0, y=1).established is True
    assert rules.any_psi(strict, solver.proves(strict.arbitrary)).established is None


def test_what_the_solver_is_told_of_psi_is_true_of_the_identity():
    # ψ(x) = x satisfies every fact with equality where it may, so that no rounding decides
    c = Reading()
    x, y = z3.Reals("x y")
    named = [(c.psi(term), term) for term in (x, x + 1, y, y + 1)]
    named.append((c.psi_inverse(c.psi(x) + 2), x + 2))
    facts = z3.substitute(z3.And(*c.facts()), *named)
    told = z3.substitute(facts, (c.psi(c.psi_inverse(c.psi(x) + 2)), x + 2))
    assert solver.for_all([x >= 0, y >= 0], told, "the facts, for ψ(x) = x").established is True


def test_a_mechanism_that_reads_more_than_the_specification_is_refused():
    with pytest.raises(StatementError, match=r"reads only establish\.spec"):
        Gedp(
            Rational("μ", above=0),
            name="M",
            answers=lambda psi, mu: [(0, PsiMechanism(psi, shown, mu))],
            gamma=lambda mu: F(1),
            level=lambda c, mu: c.number(mu),
        )
