"""Per-record privacy of a mechanism: what is stated, what refutes it, and what the rules refuse."""

from dataclasses import replace
from fractions import Fraction

import pytest

from establish import PrivatePerRecord, Rational, RuleError, StatementError, rules, solver
from establish.proofs_check.papers.ours.discrete_gaussian import COUNTS
from establish.proofs_check.papers.ours.transformation import BY_LOGARITHM, BY_ROOT
from establish.spec.arithmetic import MP
from establish.spec.distributions.gaussian import Gaussian
from establish.spec.mechanisms.transformation import RootMechanism

RHO = Rational("ρ", above=0)


def by_root(policy, mechanism=RootMechanism):
    """Normal noise on the square root, with another policy or another mechanism."""
    return PrivatePerRecord(RHO, policy=policy, mechanism=mechanism)


FALSE = {
    "half of it": lambda c, rho, x: rho * x / 2,
    "a thousandth less": lambda c, rho, x: rho * x * 999 / 1000,
    "the root of the size": lambda c, rho, x: rho * c.sqrt(x),
    "a constant": lambda c, rho, x: rho,
    "nothing": lambda c, rho, x: 0 * rho * x,
}


@pytest.mark.parametrize("policy", FALSE.values(), ids=FALSE)
def test_a_policy_that_charges_too_little_is_refuted_and_not_proved(policy):
    statement = by_root(policy)
    assert statement.search().refuted
    owed = rules.between_normals(statement)
    assert rules.normal_divergence(statement, *map(solver.proves, owed)).established is not True


def test_a_policy_that_charges_more_is_true():
    statement = by_root(lambda c, rho, x: rho * (x + 1))
    assert not statement.search().refuted
    owed = rules.between_normals(statement)
    assert rules.normal_divergence(statement, *map(solver.proves, owed)).established is True


def test_the_statement_at_a_point_tells_both_sides():
    truth = BY_ROOT.at({"ρ": "1/8", "q": 7, "x": 2, "a": 2})
    assert truth.value is True
    assert "q = 7, x = 2, a = 2" in truth.shown
    assert COUNTS.at({"ρ": "1/8", "q": 7, "x": 2, "a": 2}).value is not False  # it is attained


@pytest.mark.parametrize("point", [{"q": -1}, {"x": "1/2"}, {"a": 1}, {"ρ": 0}])
def test_a_point_outside_is_refused(point):
    with pytest.raises(StatementError):
        COUNTS.at({"ρ": "1/8", "q": 7, "x": 2, "a": 2, **point})


def test_the_law_that_is_read_is_that_of_the_mechanism_that_is_made():
    twice = by_root(lambda c, rho, x: rho * x, mechanism=lambda rho: RootMechanism(2 * rho))
    assert twice.search().refuted
    assert not all(solver.proves(one).established for one in rules.between_normals(twice))


def test_a_mechanism_that_is_chosen_by_its_parameter_is_refused():
    def chosen(rho):
        return RootMechanism(rho if rho < 1 else Fraction(1))

    with pytest.raises(StatementError, match="branches or compares"):
        by_root(lambda c, rho, x: rho * x, mechanism=chosen)


def test_each_rule_wants_its_own_kind_of_law():
    with pytest.raises(RuleError, match="has another law than a OnIntegers"):
        rules.around_totals(BY_ROOT)
    with pytest.raises(RuleError, match="has another law than a Gaussian"):
        rules.between_normals(COUNTS)


def test_evidence_of_another_statement_shows_nothing():
    pieces = [solver.proves(one) for one in rules.between_normals(BY_ROOT)]
    assert rules.normal_divergence(BY_LOGARITHM, *pieces).established is not True
    assert rules.normal_divergence(BY_ROOT, *pieces[:2]).established is not True
    half = replace(COUNTS, policy=lambda c, rho, x: rho * x * x / 2)
    assert rules.divergence_of_totals(half, *pieces).established is not True


class ByLargest(RootMechanism):
    """Noise that follows the largest establishment, which a total does not tell."""

    def output(self, sizes, c=MP):
        return Gaussian(c.number(sum(sizes)), c.number(max(sizes, default=0)), c)


class ByNumber(RootMechanism):
    """Noise that follows the number of establishments."""

    def output(self, sizes, c=MP):
        return Gaussian(c.number(sum(sizes)) * len(sizes), c.number(1), c)


@pytest.mark.parametrize("kind", [ByLargest, ByNumber])
def test_a_mechanism_that_reads_more_than_the_total_of_a_cell_is_refused(kind):
    statement = replace(BY_ROOT, mechanism=kind)
    with pytest.raises(RuleError, match="reads the counts of a cell by"):
        rules.between_normals(statement)
