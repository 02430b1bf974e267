"""Firms, slopes, integrals, shares and tests of laws: what the rules derive, and what they refuse."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from establish import (
    AtMost,
    Evidence,
    Grade,
    Integer,
    Printed,
    Rational,
    Real,
    RuleError,
    StatementError,
    rules,
)
from establish.proofs_check.engine.methods import exact, solver, symbolic
from establish.proofs_check.engine.statements import (
    ClassByIntervals,
    CombinedFunctions,
    EventsAndTests,
    EveryPsi,
    Gedp,
    Integral,
    LeastAtEqualShares,
    OfFirm,
    OneDraw,
    Smooth,
    UnderBoth,
)
from establish.proofs_check.papers.foote2019.empty_bins import EQUAL_IS_LEAST, equal_is_least
from establish.proofs_check.papers.webb2025.composition import ADAPTIVE, composes
from establish.spec.arithmetic import EXACT
from establish.spec.distributions import staircase
from establish.spec.earnings.bins import empty
from establish.spec.gaussian import total
from establish.spec.mechanisms.psi_mechanism import PsiMechanism
from establish.spec.neighbor_functions.functions import identity, logarithm, root

HALF = Fraction(1, 2)

pytestmark = pytest.mark.usefixtures("made_by_hand")


def granted(statement):
    """A piece that a test takes for shown."""
    return Evidence(
        statement.text, True, Grade.PROOF, "granted", decides=statement.text, identity=statement.identity
    )


ONE = Gedp(
    Rational("γ", above=0),
    Rational("μ", above=0),
    name="ψ-mechanism",
    answers=lambda psi, gamma, mu: [(0, PsiMechanism(psi, gamma, mu))],
    gamma=lambda gamma, mu: gamma,
    level=lambda c, gamma, mu: c.number(mu),
)
FIRM = OfFirm(ONE, times=lambda c, size: size)


def tells_apart(derived, right, *wrong):
    """A rule derives what is right and leaves open what is wrong; so does the adversary."""
    assert derived(right).established is True
    assert right.search().sees
    for one in wrong:
        assert derived(one).established is None
        assert one.search().refuted


def firm(statement):
    one, first, further = rules.one_more_establishment(statement)
    return rules.one_by_one(statement, granted(one), exact.decided(first), solver.proves(further))


def test_a_firm_costs_what_its_establishments_do_and_not_the_root_of_their_number():
    less = OfFirm(ONE, times=lambda c, size: c.sqrt(size))
    tells_apart(firm, FIRM, less)
    point = {"γ": 1, "μ": 1, "ψ": identity(), "changes": [(4, 5), (4, 5)], "together": True}
    assert FIRM.at(point).value is True
    assert less.at(point).value is False
    assert less.at(point | {"ψ": root(), "changes": [(4, 9), (4, 9)]}).value is True
    with pytest.raises(StatementError, match="close"):
        FIRM.at(point | {"changes": [(4, 6)]})


def test_slopes_combine_to_a_neighbor_function_and_the_wrong_slope_does_not():
    def shown(statement):
        return rules.integral_of_slopes(statement, *map(solver.proves, rules.slopes_of_class(statement)))

    for contains in (True, False):
        right = CombinedFunctions(contains=contains, smaller=contains)
        tells_apart(shown, right, replace(right, smaller=not contains))
        with pytest.raises(RuleError, match="distance"):
            rules.integral_of_slopes(replace(right, distance=HALF))


def test_log_may_be_one_of_two_in_the_smaller_slope_only():
    pair = {"A": root(), "γ_A": 1, "B": logarithm(), "γ_B": 1, "x": 0, "y": 1}
    assert CombinedFunctions(contains=True, smaller=True).at(pair).value is True
    with pytest.raises(StatementError, match="real at 0"):
        CombinedFunctions(contains=False, smaller=False).at(pair)


def test_a_convex_composition_leaves_no_kink_and_concavity_alone_does():
    smooth, bent = Smooth(), Smooth(convex=False)
    assert rules.no_kink(smooth, *map(solver.proves, rules.slopes_at_a_point(smooth))).established is True
    assert rules.no_kink(bent, *map(solver.proves, rules.slopes_at_a_point(bent))).established is None
    assert smooth.search().sees
    assert bent.at({"x": 1, "left": 1, "right": HALF}).value is False
    with pytest.raises(StatementError, match="outside of the class"):
        smooth.at({"x": 1, "left": 1, "right": HALF})


def roots(first, edge=1):
    """∫ min(1, 1/√t) = x up to 1, 2√x − 1 beyond."""
    return Integral(
        Real("a", above=0),
        slope=lambda c, a, t: -a * c.maximum(-c.number(1), -1 / c.sqrt(t)),
        first=first,
        later=[(lambda c, a: c.number(edge), lambda c, a, x: a * (2 * c.sqrt(x) - 1))],
    )


def test_an_integral_is_its_antiderivative_and_pieces_must_meet():
    def shown(statement):
        return rules.antiderivative(statement, *map(solver.proves, rules.antiderivatives(statement)))

    tells_apart(
        shown,
        roots(lambda c, a, x: a * x),
        roots(lambda c, a, x: a * x + 1),
        roots(lambda c, a, x: 2 * a * x),
        roots(lambda c, a, x: a * x, edge=4),
    )
    jump = roots(lambda c, a, x: a * x + c.sign(x))
    assert jump.search().refuted
    with pytest.raises(RuleError, match="not continuous"):
        rules.antiderivatives(jump)


def test_both_relations_of_lengths_are_needed_for_the_class():
    assert ClassByIntervals().search().sees
    for name in ("absolute", "relative"):
        assert ClassByIntervals((name,)).search().refuted
        with pytest.raises(RuleError, match="both relations"):
            rules.class_by_intervals(ClassByIntervals((name,)))
    pieces = [solver.proves(owed) for owed in rules.midpoints_and_slopes()]
    assert all(piece.established for piece in pieces)
    assert rules.class_by_intervals(ClassByIntervals(), *pieces).established is None
    forward = map(granted, rules.both_relations())
    assert rules.class_by_intervals(ClassByIntervals(), *pieces, *forward).established is True


def _relative_growth(factor):
    """ψ(r·y) − ψ(r·x) against factor times ψ(y) − ψ(x), for x < y and r > 1."""
    return EveryPsi(
        Real("x", above=0),
        Real("y", above=lambda c, x: x),
        Real("r", above=1),
        left=lambda psi, c, x, y, r: factor * (psi.value(y, c) - psi.value(x, c)),
        relation="<=",
        right=lambda psi, c, x, y, r: psi.value(r * y, c) - psi.value(r * x, c),
    )


def test_the_solver_is_told_that_neighbor_functions_grow_with_relative_steps_and_no_faster():
    right, wrong = _relative_growth(1), _relative_growth(2)
    assert rules.any_psi(right, solver.proves(right.arbitrary)).established is True
    assert rules.any_psi(wrong, solver.proves(wrong.arbitrary)).established is None
    assert wrong.search().refuted


def test_two_releases_cost_the_root_of_the_squares_and_not_the_larger():
    def shown(statement):
        owed = solver.proves(rules.total_of_both(statement, ADAPTIVE))
        return rules.neighbors_of_both(statement, ADAPTIVE, composes(ADAPTIVE), owed)

    larger = UnderBoth(lambda c, a, b: c.maximum(a, b))
    tells_apart(shown, UnderBoth(lambda c, a, b: total([a, b], c)), larger)


@pytest.mark.small_campaign
def test_equal_shares_leave_the_fewest_bins_empty_but_not_the_fewest_of_any_kind():
    assert equal_is_least().established is True
    assert EQUAL_IS_LEAST.search().sees
    with pytest.raises(RuleError, match="least value"):
        rules.tangent_of(replace(EQUAL_IS_LEAST, times=Fraction(2)), lambda c, n, m: n)
    most = LeastAtEqualShares(Integer("N", least=1), term=lambda c, n, p: 1 - c.power(1 - p, n))
    assert most.search().refuted
    assert rules.tangent_of(most, lambda c, n, m: n * c.power(1 - 1 / m, n - 1)).search().refuted
    assert rules.by_tangent(most, lambda c, n, m: n, granted(EQUAL_IS_LEAST)).established is None


def test_the_mean_number_of_empty_bins_is_that_of_all_draws():
    shares, size = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)), 3
    mean = Fraction(0)
    for draws in product(range(len(shares)), repeat=size):
        chance = Fraction(1)
        for bin_ in draws:
            chance *= shares[bin_]
        mean += chance * (len(shares) - len(set(draws)))
    assert mean == sum(empty(p, size, EXACT) for p in shares)


def test_induction_needs_a_base_and_a_step_over_integers():
    double = AtMost(
        Integer("n", least=0),
        Real("x", least=0),
        left=lambda c, n, x: 1 + n * x,
        right=lambda c, n, x: c.power(1 + x, n),
    )

    def factor(c, n, x):
        return 1 + x

    base, allowed, step = rules.base_and_step(double, "n", factor)
    gap = lambda c, n, x: n * x * x  # noqa: E731
    equal, positive = rules.gap_of(step, gap)
    stepped = rules.by_gap(step, gap, symbolic.proves(equal), solver.proves(positive))
    pieces = solver.proves(base), solver.proves(allowed), stepped
    assert rules.by_induction(double, "n", factor, *pieces).established is True
    assert rules.by_induction(double, "n", factor, *pieces[1:]).established is None
    wrong = lambda c, n, x: n * x * x + 1  # noqa: E731
    owed = rules.gap_of(step, wrong)
    assert rules.by_gap(step, wrong, symbolic.proves(owed[0]), solver.proves(owed[1])).established is None
    with pytest.raises(RuleError, match="integer"):
        rules.base_and_step(double, "x", factor)


@pytest.mark.small_campaign
def test_a_bound_on_events_is_one_on_tests_for_concave_functions_only():
    concave, any_f = EventsAndTests(), EventsAndTests(concave=False)
    assert rules.mixtures_of_events(concave, solver.proves(rules.two_events(concave))).established is True
    assert concave.search().sees
    assert any_f.search().refuted
    with pytest.raises(RuleError, match="concave"):
        rules.two_events(any_f)


def test_a_costly_number_is_evaluated_when_it_is_asked_for_only(monkeypatch):
    asked = []

    def third(epsilon, c):
        asked.append(c)
        return c.number(Fraction(1, 3))

    monkeypatch.setattr(staircase, "ratio", third)
    number = Printed(lambda c: staircase.ratio(1, c), "0.33", costly=True)
    assert "within 1/200 of 33/100" in number.text
    assert asked == []
    assert exact.decided(number).established is True
    assert asked
    assert all(wrong.search().refuted for _, wrong in number.planted())


def test_one_draw_costs_the_square_of_the_ratio_and_no_less():
    def shown(statement):
        moved, sums, quotients = rules.one_more(statement)
        pieces = solver.proves(moved), granted(sums), solver.proves(quotients)
        return rules.by_one_gap(statement, *pieces)

    right = OneDraw(lambda c, r: r * r)
    tells_apart(shown, right, OneDraw(lambda c, r: r))
    with pytest.raises(StatementError, match="one individual"):
        right.at({"half": HALF, "weights": (1, 2), "shares": (HALF,), "totals": (2,), "D": (1,), "D'": (3,)})
