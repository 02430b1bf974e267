"""Rules on noise derive what is true, and refuse what does not follow when a fault is planted."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from establish import AtMost, Moment, Rational, Real, RuleError, rules, solver, symbolic
from establish.proofs_check.engine.statements import AddsNoise, Bounded, Diverges, Indistinguishable
from establish.proofs_check.engine.statements.domain import Domain
from establish.spec.distributions import laplace
from establish.spec.distributions.laplace import Laplace
from establish.spec.mechanisms.log_laplace import LogLaplaceMechanism
from establish.spec.mechanisms.smooth_laplace import SmoothLaplaceMechanism
from tests.proofs_check.engine.private import private

SQUARES = AtMost(Real("x"), Real("y"), left=lambda c, x, y: 2 * x * y, right=lambda c, x, y: x * x + y * y)


@pytest.mark.parametrize(("constant", "follows"), [(1, True), (F(99, 100), None)])
def test_an_instance_shows_what_follows_from_it_and_nothing_more(constant, follows):
    # 2·ln u ≤ (ln u)² + 1, by the square of ln u − 1; a smaller constant on the right is false at u = e
    statement = AtMost(
        Real("u", above=0),
        left=lambda c, u: 2 * c.log(u),
        right=lambda c, u: c.log(u) * c.log(u) + c.number(constant),
    )
    at = {"x": lambda c, u: c.log(u), "y": lambda c, u: c.number(1)}
    found = rules.instances(statement, [(SQUARES, at)], solver.proves(SQUARES))
    assert found.established is follows


def test_an_instance_outside_the_domain_of_the_general_statement_is_worth_nothing():
    general = AtMost(Real("x", least=0, most=1), left=lambda c, x: x * x, right=lambda c, x: x)
    at = {"x": lambda c, u: u}
    wide = AtMost(Real("u", least=0, most=2), left=lambda c, u: u * u, right=lambda c, u: u)
    assert rules.instances(wide, [(general, at)], solver.proves(general)).established is None


def test_an_instance_needs_the_general_statement_to_be_shown():
    false = AtMost(Real("x", above=0), left=lambda c, x: x, right=1)
    statement = AtMost(Real("u", above=0), left=lambda c, u: u, right=2)
    found = rules.instances(statement, [(false, {"x": lambda c, u: u})], solver.proves(false))
    assert found.established is None


def powers(exponent, factor):
    """x^exponent ≤ factor·(x + 1) for x ≥ 0: true for exponent 1/2 and factor 1/2, which 1 attains."""
    return AtMost(
        Real("x", least=0),
        left=lambda c, x: c.power(x, exponent),
        right=lambda c, x: (x + 1) * c.number(factor),
    )


@pytest.mark.parametrize(("factor", "shown"), [(F(1, 2), True), (F(49, 100), None)])
def test_the_solver_knows_roots_as_far_as_their_powers(factor, shown):
    assert solver.proves(powers(F(1, 2), factor)).established is shown


@pytest.mark.parametrize(("exponent", "shown"), [(1, True), (2, None)])
def test_the_solver_knows_real_powers_by_their_logarithm(exponent, shown):
    statement = AtMost(
        Real("t", above=0, below=1),
        Real("x", least=0),
        left=lambda c, t, x: c.power(x, t * exponent),
        right=lambda c, t, x: 1 + x,
    )
    hint = lambda c, t, x: c.log(1 + x) + c.log(x) + c.log(c.number(1))  # noqa: E731
    assert solver.proves(statement, hint).established is shown


def added(scale):
    return AddsNoise(
        Real("ε", above=0),
        Real("Δ", above=0),
        law=lambda c, epsilon, delta, x: Laplace(x, delta / epsilon * c.number(scale), c),
        sensitivity=lambda c, epsilon, delta: delta,
        level=lambda c, epsilon, delta: epsilon,
    )


@pytest.mark.parametrize(("scale", "shown"), [(F(1), True), (F(99, 100), None)])
def test_noise_in_every_coordinate_is_private_from_its_least_scale_on(scale, shown):
    statement = added(scale)
    loss, *signs = rules.one_coordinate(statement)
    pieces = solver.proves(loss), *map(solver.owed, signs)
    assert rules.coordinatewise(statement, *pieces).established is shown
    assert (statement.search(20).refuted == "") is bool(shown)


def slid(level):
    return Indistinguishable(
        Real("Δ", above=0),
        first=lambda c, step: Laplace(c.number(0), c.number(1), c),
        second=lambda c, step: Laplace(step, c.number(1), c),
        level=lambda c, step: step * c.number(level),
    )


@pytest.mark.parametrize(("level", "shown"), [(F(1), True), (F(9, 10), None)])
def test_a_slid_laplace_law_loses_its_slide_and_no_less(level, shown):
    statement = slid(level)
    assert rules.at_every_output(statement, solver.proves(rules.log_ratio(statement))).established is shown
    assert (statement.search(20).refuted == "") is bool(shown)


def infinite(least):
    return Diverges(
        Real("λ", least=least),
        law=lambda c, scale: Laplace(c.number(0), scale, c),
        of=lambda c, scale, x: c.exp(x),
    )


@pytest.mark.parametrize(("least", "shown"), [(F(1), True), (F(1, 2), None)])
def test_an_exponential_of_laplace_noise_is_infinite_from_scale_one_on(least, shown):
    def parts(c, scale, t):
        density = c.exp(laplace.log_density(t, c.number(0), scale, c))
        for part in (c.exp(t) * density, c.exp(t), density, c.number(1) / (2 * scale), 2 * scale):
            c.log(part)

    statement = infinite(least)
    bounds = [lambda c, scale: c.number(0), lambda c, scale: 1 / (2 * scale), lambda c, scale: c.number(0)]
    pieces = [solver.proves(owed, parts) for owed in rules.floors(statement, *bounds)]
    assert rules.does_not_fall(statement, *bounds, *pieces).established is shown


def test_the_adversary_of_infinite_expectations_sees_one_that_is_finite():
    assert "parts of the integral" in infinite(F(1, 10)).search(60).refuted
    assert infinite(F(1)).search(60).sees


GROWS = Bounded(Real("x", least=1), left=lambda c, x: x * x, by=lambda c, x: x)
STAYS = Bounded(Real("x", least=1), left=lambda c, x: 3 * x + 1, by=lambda c, x: x)


def test_statements_of_order_are_shown_by_a_constant_and_refuted_along_a_path():
    four = lambda c: c.number(4)  # noqa: E731
    three = lambda c: c.number(3)  # noqa: E731
    assert rules.with_constant(STAYS, four, solver.proves(STAYS.by(four))).established is True
    assert rules.with_constant(STAYS, three, solver.proves(STAYS.by(three))).established is None
    path = {"x": lambda c, k: k + 1}
    found = rules.no_constant(GROWS, path, *map(solver.proves, rules.exceeding(GROWS, path)))
    assert (found.established, found.refutes, found.decides) == (True, True, GROWS.text)
    flat = {"x": lambda c, k: 1 + 0 * k}
    assert (
        rules.no_constant(GROWS, flat, *map(solver.proves, rules.exceeding(GROWS, flat))).established is None
    )
    assert GROWS.search(60).refuted
    assert STAYS.search(60).sees


# Laplace noise in proportion to S = max(αx, 1) has a loss without bound: a rule that let it pass would lie.
SMOOTH_LAPLACE = private(
    lambda alpha, epsilon: SmoothLaplaceMechanism(alpha, epsilon, F(999, 1000)), name="Smooth Laplace"
)


def slide(c, alpha, epsilon, *_):
    return c.number(epsilon) / 2


def stretch(c, alpha, *_):
    return 1 + c.number(alpha)


def test_smooth_noise_follows_neighbors_exactly_and_refuses_a_law_whose_loss_has_no_bound():
    moves = [solver.proves(owed) for owed in rules.neighboring_laws(SMOOTH_LAPLACE, slide, stretch)]
    assert all(piece.established for piece in moves)
    lost = [solver.proves(owed) for owed in rules.losses(SMOOTH_LAPLACE, slide, stretch)]
    assert rules.smooth(SMOOTH_LAPLACE, slide, stretch, *moves, *lost).established is None
    less = lambda c, alpha, epsilon, *_: c.number(epsilon) * c.number(F(2, 5))  # noqa: E731
    short = [solver.proves(owed) for owed in rules.neighboring_laws(SMOOTH_LAPLACE, less, stretch)]
    assert not all(piece.established for piece in short)
    narrow = lambda c, alpha, *_: 1 + c.number(alpha) / 2  # noqa: E731
    small = [solver.proves(owed) for owed in rules.neighboring_laws(SMOOTH_LAPLACE, slide, narrow)]
    assert not all(piece.established for piece in small)


def test_smooth_noise_is_no_rule_for_counts_without_a_bounded_growth():
    with pytest.raises(RuleError, match="no growth by a share"):
        rules.losses(replace(SMOOTH_LAPLACE, queries="worker"), slide, stretch)


def test_privacy_at_a_point_follows_from_privacy_in_general_inside_the_domain_only():
    domain = Domain((Rational("α", above=0, most=1), Rational("ε", above=0)))
    general = replace(private(LogLaplaceMechanism, name="Log-Laplace"), domain=domain)
    shown = solver.proves(SQUARES)
    assert rules.fixed_at(general, (F(1, 2), F(1)), shown).established is None
    with pytest.raises(RuleError, match="lies outside"):
        rules.fixed_at(general, (F(2), F(1)), shown)
    assert "α = 1/2, ε = 1" in rules.fixed(general, F(1, 2), F(1)).text


@pytest.mark.few(1)
@pytest.mark.parametrize(("share", "shown"), [(F(1), True), (F(21, 20), None)])
def test_a_moment_may_depend_on_parameters_that_bound_each_other(share, shown):
    statement = Moment(
        Real("λ", above=0, below=1),
        Real("x", above=0),
        law=lambda c, scale, x: Laplace(c.number(0), scale, c),
        of=lambda c, scale, x, eta: c.absolute(x * c.exp(eta) - x),
        closed=lambda c, scale, x: x * scale / (1 - scale * scale),
        breaks=[lambda c, scale, x: c.number(0)],
        depends=True,
    )
    scaled = replace(statement, closed=lambda c, *v: statement.closed(c, *v) * c.number(share))
    assert (symbolic.integrates(scaled).established or None) is shown


def test_every_rule_tells_its_argument():
    assert all(len(argument) > 60 for argument in rules.RULES.values())
