"""Each rule derives what follows, says what is owed, and refuses what does not follow."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from establish import AtMost, Grade, Real, RuleError, exact, rules, solver, symbolic
from establish.proofs_check.engine.rules.calculus import slope_obligations
from establish.proofs_check.engine.rules.order import links, transformed
from establish.proofs_check.engine.rules.substitution import obligations
from establish.proofs_check.engine.statements import given
from establish.spec.mechanisms.log_laplace import LogLaplaceMechanism
from tests.proofs_check.engine.private import private

PARABOLA = AtMost(Real("γ", above=0), left=lambda c, g: g * (1 - g), right=lambda c, g: c.number(1) / 4)
LOW, HIGH = given(lambda c, g: g, "<=", 1), given(lambda c, g: g, ">", 1)


def test_every_rule_states_its_argument():
    assert set(rules.RULES) >= {"chain", "cover", "increasing", "pointwise", "slope_and_end", "substitute"}
    assert all(argument for argument in rules.RULES.values())


def test_cases_that_cover_the_domain_give_the_statement():
    parts = [solver.proves(PARABOLA.where(case)) for case in (LOW, HIGH)]
    found = rules.cover(PARABOLA, [[LOW], [HIGH]], *parts)
    assert (found.established, found.grade, found.decides) == (True, Grade.PROOF, PARABOLA.text)


def test_cases_that_leave_out_a_point_are_refused():
    below = given(lambda c, g: g, "<", 1)
    with pytest.raises(RuleError, match="leave out part of the domain"):
        rules.cover(PARABOLA, [[below], [HIGH]])


def test_a_case_without_evidence_leaves_the_statement_undecided():
    found = rules.cover(PARABOLA, [[LOW], [HIGH]], solver.proves(PARABOLA.where(LOW)))
    assert found.established is None
    assert "has no proof" in found.witness


def test_evidence_that_refutes_is_never_taken_for_evidence_that_shows():
    wrong = replace(PARABOLA, relation=">")
    assert exact.refuted(wrong, γ=1).established is True
    found = rules.cover(wrong, [[LOW], [HIGH]], exact.refuted(wrong, γ=1), solver.proves(PARABOLA))
    assert found.established is None


EXPONENTIAL = AtMost(Real("x", least=0), left=lambda c, x: 1 + x, right=lambda c, x: c.exp(x))


def exponential_evidence():
    start, slope = slope_obligations(EXPONENTIAL, "x")
    again, curvature = slope_obligations(slope, "x")
    return start, rules.slope_and_end(slope, "x", exact.decided(again), symbolic.signed(curvature))


def test_slope_and_end_give_the_exponential_bound():
    start, rising = exponential_evidence()
    assert rules.slope_and_end(EXPONENTIAL, "x", exact.decided(start), rising).established is True


def test_slope_and_end_does_not_give_a_false_bound():
    false = replace(EXPONENTIAL, left=lambda c, x: 1 + 2 * x)
    start, slope = slope_obligations(false, "x")
    assert symbolic.signed(slope).established is False
    assert rules.slope_and_end(false, "x", exact.decided(start), symbolic.signed(slope)).established is None


def test_a_chain_needs_each_of_its_links():
    def middle(c, x):
        return 1 + x + x * x / 4

    bound = AtMost(Real("x", least=0, most=1), left=lambda c, x: 1 + x, right=lambda c, x: 1 + x + x * x / 2)
    first, second = links(bound, middle)
    assert rules.chain(bound, (middle,), solver.proves(first), solver.proves(second)).established is True
    assert rules.chain(bound, (middle,), solver.proves(first)).established is None


def test_the_logarithm_increases_only_where_both_sides_are_positive():
    bound = AtMost(Real("x", above=0), left=lambda c, x: x, right=lambda c, x: x + 1)
    owed = transformed(bound, "log")
    assert [statement.relation for statement in owed] == ["<=", "<", "<"]
    shown = [solver.proves(owed[0]), *(solver.owed(sign) for sign in owed[1:])]
    assert rules.increasing(bound, "log", *shown).established is True
    negative = AtMost(Real("x"), left=lambda c, x: -x * x - 1, right=lambda c, x: x * x)
    assert solver.proves(transformed(negative, "log")[1]).established is False


GENERAL = AtMost(Real("u"), left=lambda c, u: 2 * u, right=lambda c, u: u * u + 1)
SPECIAL = AtMost(
    Real("x", above=0), left=lambda c, x: 2 * c.log(x), right=lambda c, x: c.power(c.log(x), 2) + 1
)
LOGARITHM = {"u": lambda c, x: c.log(x)}


def test_an_instance_follows_by_substitution():
    owed = obligations(SPECIAL, GENERAL, LOGARITHM)
    found = rules.substitute(SPECIAL, GENERAL, LOGARITHM, *(solver.proves(s) for s in owed))
    assert found.established is True


def test_a_substitution_that_gives_other_sides_is_refused():
    with pytest.raises(RuleError, match="sides differ"):
        rules.substitute(SPECIAL, GENERAL, {"u": lambda c, x: 2 * c.log(x)}, solver.proves(GENERAL))


def test_values_outside_the_general_domain_are_owed_and_refuted():
    positive = replace(
        GENERAL, domain=AtMost(Real("u", above=0), left=lambda c, u: u, right=lambda c, u: u).domain
    )
    _, inside = obligations(SPECIAL, positive, LOGARITHM)
    assert exact.refuted(inside, x="1/2").established is True


def log_laplace(share, neighbors="strong", queries="establishment"):
    return private(LogLaplaceMechanism, F(share), neighbors=neighbors, queries=queries)


def grown(c, alpha, epsilon, x, y, rest, o):
    return c.log((1 + alpha) * (x + rest + 1 / alpha))


def test_privacy_follows_from_the_densities_at_every_output():
    statement = log_laplace("1/2")
    owed = rules.densities(statement)
    assert rules.pointwise(statement, *(solver.proves(s, grown) for s in owed)).established is True
    assert rules.pointwise(statement, solver.proves(owed[0], grown)).established is None


def test_the_loss_is_bounded_in_both_directions():
    there, back, *_ = rules.densities(log_laplace("49/100"))
    assert there.identity != back.identity


def test_densities_show_no_smaller_level():
    owed = rules.densities(log_laplace("49/100"))
    at_outputs, least = owed[:-1], owed[-1]
    assert all(solver.proves(statement, grown).established is None for statement in at_outputs)
    assert solver.proves(least).established is True  # the least outputs do not depend on the level
    assert any(statement.search().refuted for statement in owed)


def test_no_bound_on_counts_no_rule():
    with pytest.raises(RuleError, match="no bounded growth"):
        rules.densities(log_laplace(1, "strong", "worker"))


def test_a_larger_level_and_fewer_neighbors_are_weaker():
    strong, spent = log_laplace(1), log_laplace("1/2")
    evidence = rules.pointwise(spent, *(solver.proves(s, grown) for s in rules.densities(spent)))
    less = solver.proves(rules.comparison_of_levels(strong, spent))
    assert rules.weakened(strong, spent, evidence, less).established is True
    assert rules.weakened(log_laplace(1, "weak"), spent, evidence, less).established is True
    assert solver.proves(rules.comparison_of_levels(log_laplace("1/4"), spent)).established is False
    with pytest.raises(RuleError, match="neighbors"):
        rules.weakened(log_laplace(1), log_laplace("1/2", "weak"), evidence, less)
    with pytest.raises(RuleError, match="queries"):
        rules.weakened(log_laplace(1, "weak", "worker"), spent, evidence, less)
