"""Each rule derives what follows, says what is owed, and refuses what does not follow."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from establish import AtMost, Grade, Private, Rational, Real, RuleError, exact, rules, solver, symbolic
from establish.proofs_check.engine.rules.calculus import slope_obligations
from establish.proofs_check.engine.rules.order import links, transformed
from establish.proofs_check.engine.rules.substitution import obligations
from establish.proofs_check.engine.statements import given
from establish.spec.mechanisms.log_laplace import LogLaplaceMechanism
from establish.spec.mechanisms.unguarded import unguarded

PARABOLA = AtMost(Real("γ", above=0), left=lambda c, g: g * (1 - g), right=lambda c, g: c.number(1) / 4)
LOW, HIGH = given(lambda c, g: g, "<=", 1), given(lambda c, g: g, ">", 1)


def test_cases_cover_the_domain_with_evidence_that_shows_each():
    parts = [solver.proves(PARABOLA.where(case)) for case in (LOW, HIGH)]
    found = rules.cover(PARABOLA, [[LOW], [HIGH]], *parts)
    assert (found.established, found.grade, found.decides) == (True, Grade.PROOF, PARABOLA.text)
    below = given(lambda c, g: g, "<", 1)
    with pytest.raises(RuleError, match="leave out part of the domain"):
        rules.cover(PARABOLA, [[below], [HIGH]])
    found = rules.cover(PARABOLA, [[LOW], [HIGH]], solver.proves(PARABOLA.where(LOW)))
    assert found.established is None
    assert "has no proof" in found.witness
    wrong = replace(PARABOLA, relation=">")
    assert exact.refuted(wrong, γ=1).established is True
    found = rules.cover(wrong, [[LOW], [HIGH]], exact.refuted(wrong, γ=1), solver.proves(PARABOLA))
    assert found.established is None


EXPONENTIAL = AtMost(Real("x", least=0), left=lambda c, x: 1 + x, right=lambda c, x: c.exp(x))


def exponential_evidence():
    start, slope = slope_obligations(EXPONENTIAL, "x")
    again, curvature = slope_obligations(slope, "x")
    return start, rules.slope_and_end(slope, "x", exact.decided(again), symbolic.signed(curvature))


def test_slope_and_end_give_true_exponential_bounds_only():
    start, rising = exponential_evidence()
    assert rules.slope_and_end(EXPONENTIAL, "x", exact.decided(start), rising).established is True
    false = replace(EXPONENTIAL, left=lambda c, x: 1 + 2 * x)
    start, slope = slope_obligations(false, "x")
    assert symbolic.signed(slope).established is False
    assert rules.slope_and_end(false, "x", exact.decided(start), symbolic.signed(slope)).established is None


def test_chains_need_each_link_and_logarithms_positive_sides():
    def middle(c, x):
        return 1 + x + x * x / 4

    bound = AtMost(Real("x", least=0, most=1), left=lambda c, x: 1 + x, right=lambda c, x: 1 + x + x * x / 2)
    first, second = links(bound, middle)
    assert rules.chain(bound, (middle,), solver.proves(first), solver.proves(second)).established is True
    assert rules.chain(bound, (middle,), solver.proves(first)).established is None
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


def test_instances_follow_by_substitution_of_the_same_sides_inside_the_domain():
    owed = obligations(SPECIAL, GENERAL, LOGARITHM)
    found = rules.substitute(SPECIAL, GENERAL, LOGARITHM, *(solver.proves(s) for s in owed))
    assert found.established is True
    with pytest.raises(RuleError, match="sides differ"):
        rules.substitute(SPECIAL, GENERAL, {"u": lambda c, x: 2 * c.log(x)}, solver.proves(GENERAL))
    positive = replace(
        GENERAL, domain=AtMost(Real("u", above=0), left=lambda c, u: u, right=lambda c, u: u).domain
    )
    _, inside = obligations(SPECIAL, positive, LOGARITHM)
    assert exact.refuted(inside, x="1/2").established is True


def private(level, neighbors="strong", queries="establishment"):
    share = F(level)
    return Private(
        Rational("α", above=0),
        Rational("ε", above=0),
        name="Log-Laplace",
        mechanism=LogLaplaceMechanism,
        reading=lambda alpha, epsilon: unguarded(LogLaplaceMechanism, alpha=alpha, epsilon=epsilon),
        alpha=lambda alpha, epsilon: alpha,
        neighbors=neighbors,
        queries=queries,
        level=lambda c, alpha, epsilon: c.number(epsilon) * c.number(share),
    )


def grown(c, alpha, epsilon, x, y, rest, o):
    return c.log((1 + alpha) * (x + rest + 1 / alpha))


def test_every_rule_states_its_argument_and_densities_give_the_level_and_no_smaller_one():
    assert set(rules.RULES) >= {"chain", "cover", "increasing", "pointwise", "slope_and_end", "substitute"}
    assert all(argument for argument in rules.RULES.values())
    statement = private("1/2")
    owed = rules.densities(statement)
    assert rules.pointwise(statement, *(solver.proves(s, grown) for s in owed)).established is True
    assert rules.pointwise(statement, solver.proves(owed[0], grown)).established is None
    owed = rules.densities(private("49/100"))
    at_outputs, least = owed[:-1], owed[-1]
    assert all(solver.proves(statement, grown).established is None for statement in at_outputs)
    assert solver.proves(least).established is True  # the least outputs do not depend on the level
    assert any(statement.search().refuted for statement in owed)
    with pytest.raises(RuleError, match="no bounded growth"):
        rules.densities(private(1, "strong", "worker"))


def test_a_larger_level_and_fewer_neighbors_are_weaker():
    strong, spent = private(1), private("1/2")
    evidence = rules.pointwise(spent, *(solver.proves(s, grown) for s in rules.densities(spent)))
    less = solver.proves(rules.comparison_of_levels(strong, spent))
    assert rules.weakened(strong, spent, evidence, less).established is True
    assert rules.weakened(private(1, "weak"), spent, evidence, less).established is True
    assert solver.proves(rules.comparison_of_levels(private("1/4"), spent)).established is False
    with pytest.raises(RuleError, match="neighbors"):
        rules.weakened(private(1), private("1/2", "weak"), evidence, less)
    with pytest.raises(RuleError, match="queries"):
        rules.weakened(private(1, "weak", "worker"), spent, evidence, less)
