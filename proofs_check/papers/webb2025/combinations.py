"""Remark 5.4 and Sections 5.4.3 to 5.4.5: person-level privacy and combined neighbor functions."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import sympy
import z3

from establish.proofs_check.engine.methods import exact, exhaustive, solver, symbolic
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.statements import AtMost, Real
from establish.proofs_check.engine.verdicts import Evidence, Verdict, aside, holds
from establish.spec.arithmetic import SYM
from establish.spec.gaussian import composed_square
from establish.spec.neighbor_functions.combinations import Combination, combined
from establish.spec.neighbor_functions.conditions import conditions
from establish.spec.neighbor_functions.functions import Expression, X, identity, logarithm, root
from establish.spec.neighbor_functions.intervals import uncertainty_interval
from establish.spec.parameters import ParameterError

HALF = Fraction(1, 2)


def exists(psi_a: Expression, psi_b: Expression, contains: bool) -> bool:
    """Whether the integral from 0 that defines ψ* converges, at distances 1/2."""
    try:
        combined(psi_a, HALF, psi_b, HALF, contains=contains)
    except ParameterError:
        return False
    return True


def _slopes(contains: bool) -> tuple[Evidence, ...]:
    """min and max of two slopes inherit what Definition 5.1 asks of slopes."""
    x, y, a_x, a_y, b_x, b_y = z3.Reals("x y a_x a_y b_x b_y")

    def pick(a: z3.ArithRef, b: z3.ArithRef) -> z3.ArithRef:
        return z3.If((a <= b) if contains else (a >= b), a, b)

    assumed = [x > 0, y > x, a_y > 0, b_y > 0, a_x >= a_y, b_x >= b_y]
    at_x, at_y = pick(a_x, b_x), pick(a_y, b_y)
    beside = z3.And(at_x <= a_x, at_x <= b_x) if contains else z3.And(at_x >= a_x, at_x >= b_x)
    return (
        solver.for_all(
            [*assumed, x * a_x <= y * a_y, x * b_x <= y * b_y],
            z3.And(at_y > 0, at_x >= at_y, x * at_x <= y * at_y),
            "the slope of ψ* is positive and does not increase, and x times it does not decrease",
        ),
        solver.for_all(assumed, beside, "the slope of ψ* against the two scaled slopes"),
    )


def _example(contains: bool) -> Evidence:
    return exact.compare(
        int(
            conditions(combined(root(), HALF, identity(), 1, contains=contains)).neighbor_function
            is True
        ),
        "==",
        1,
        "√ at γ = 1/2 and x at 1 combine to a neighbor function",
    )


def _universe_agrees(contains: bool) -> Evidence:
    star = combined(root(), HALF, identity(), 1, contains=contains)

    def nested(pair: tuple[int, int]) -> bool:
        either = root().close(*pair, HALF), identity().close(*pair, 1)
        inside = star.close(*pair, 1)
        return inside or not any(either) if contains else all(either) or not inside

    return exhaustive.for_all(
        combinations(range(13), 2),
        nested,
        "closeness under ψ* against closeness under √ at 1/2 and under x at 1",
        "pairs of sizes from 0 to 12",
    )


@claim(
    "webb2025/thm-5.10",
    where="Section 5.4.4, Theorem 5.10",
    says="ψ* with slope min(ψ_A'/γ_A, ψ_B'/γ_B), integrated from 0, and γ* = 1 is a neighbor function whose "
    "intervals contain those of A and of B.",
)
def smaller_slope_contains_both_intervals() -> Verdict:
    """Concave functions have slopes outside a countable set and are their integrals. The minimum of two
    positive non-increasing slopes is one; x times it is the minimum of two non-decreasing functions. It is
    integrable at 0 because ψ_A is bounded there. If |ψ_A(y) − ψ_A(x)| ≤ γ_A then
    |ψ*(y) − ψ*(x)| ≤ |ψ_A(y) − ψ_A(x)|/γ_A ≤ 1. Where both are log, ψ_A is not bounded at 0 and ψ* does not
    exist; with one log and √ it does.
    """
    return holds(
        *_slopes(True),
        _example(True),
        aside(_universe_agrees(True)),
        aside(exact.compare(int(exists(root(), logarithm(), True)), "==", 1, "√ and log combine")),
        aside(
            exact.compare(
                int(exists(logarithm(), logarithm(), True)), "==", 0, "log and log do not"
            )
        ),
        condition="ψ_A or ψ_B real at 0: not both log",
    )


@claim(
    "webb2025/thm-5.11",
    where="Section 5.4.5, Theorem 5.11",
    says="ψ* with slope max(ψ_A'/γ_A, ψ_B'/γ_B), integrated from 0, and γ* = 1 is a neighbor function whose "
    "intervals are contained in those of A and of B.",
)
def larger_slope_is_contained_in_both_intervals() -> Verdict:
    """As for the minimum, with all inequalities of slopes reversed; the maximum is integrable at 0 because it
    is at most the sum. As soon as one of the two is log, which is not real at 0 but is one of the two choices
    for practice, the integral from 0 diverges and ψ* does not exist: for x > 0 integrate from 1.
    """
    return holds(
        *_slopes(False),
        _example(False),
        aside(_universe_agrees(False)),
        aside(exact.compare(int(exists(root(), root(1), False)), "==", 1, "√x and √(x+1) combine")),
        aside(exact.compare(int(exists(root(), logarithm(), False)), "==", 0, "√ and log do not")),
        condition="ψ_A and ψ_B real at 0: neither is log",
    )


@claim(
    "webb2025/sec5.4.4-closed",
    where="Section 5.4.4",
    says="√ at γ and x at d combine to γ* = 1 and ψ*(x) = x/d for x ≤ d²/(4γ²), √x/γ − d/(4γ²) beyond.",
)
def closed_form_of_root_and_identity() -> Verdict:
    """1/(2γ√x) ≥ 1/d exactly when √x ≤ d/(2γ). Up to there the integral is x/d; beyond, it is
    d/(4γ²) + (√x − d/(2γ))/γ, the printed expression. Value and slope agree where the pieces meet.
    """
    r, d, gamma = z3.Reals("r d gamma")
    x, dd, g, s = sympy.symbols("x d gamma s", positive=True)
    edge = dd**2 / (4 * g**2)
    beyond = edge / dd + sympy.integrate(1 / (2 * g * sympy.sqrt(s)), (s, edge, x))
    printed = sympy.sqrt(x) / g - dd / (4 * g**2)
    star = combined(root(), HALF, identity(), 1, contains=True)
    return holds(
        solver.for_all(
            [r > 0, d > 0, gamma > 0],
            (2 * gamma * r <= d) == (1 / (2 * gamma * r) >= 1 / d),
            "which slope is smaller, at √x = r",
        ),
        symbolic.identity(beyond, printed, "ψ* beyond d²/(4γ²)"),
        symbolic.identity(printed.subs(x, edge), edge / dd, "the pieces meet in value"),
        symbolic.identity(sympy.diff(printed, x).subs(x, edge), 1 / dd, "the pieces meet in slope"),
        aside(
            symbolic.identity(
                star.pieces[1].expression,
                printed.subs({dd: 1, g: sympy.Rational(1, 2), x: X}),
                "d = 1, γ = 1/2",
            )
        ),
    )


BOUNDED_CONTRIBUTION = AtMost(
    Real("d", least=0),
    Real("p", least=0, most=lambda c, d: d),
    Real("q", least=0, most=lambda c, d, p: d),
    Real("rest", least=0),
    left=lambda c, d, p, q, rest: c.absolute(
        identity().value(rest + p, c) - identity().value(rest + q, c)
    ),
    right=lambda c, d, p, q, rest: d,
)
"""ψ of the totals with the old and the new contribution, for ψ(x) = x and γ = d."""


@claim(
    "webb2025/sec5.4.3-dp",
    where="Section 5.4.3",
    says="With ψ(x) = x and γ_i = d_i, the bound of a person's contribution, datasets that differ in the "
    "contributions of one person to an establishment are neighbors.",
    states=BOUNDED_CONTRIBUTION,
    scope="contributions in [0, d], to one establishment; each attribute alike",
)
def one_person_moves_a_total_by_at_most_the_bound() -> Verdict:
    """A contribution in [0, d] replaced by another one moves the total by at most d; so do joining and
    leaving. The person's contributions to all attributes of one establishment change at once. Who works at
    two establishments changes two records: 2μ, by group privacy. If contributions may lie in [−d, d] the
    total moves by up to 2d.
    """
    rest, p, q, d = z3.Reals("rest p q d")
    return holds(
        solver.proves(BOUNDED_CONTRIBUTION),
        solver.for_all(
            [d >= 0, p >= 0, p <= d, q >= 0, q <= d, rest >= 0],
            z3.And((rest + p) - (rest + q) <= d, (rest + q) - (rest + p) <= d),
            "totals with the old and the new contribution are close",
        ),
        condition="contributions in [0, d_i], to one establishment",
    )


@claim(
    "webb2025/sec5.4.5",
    where="Section 5.4.5",
    says="Releases of A (μ_A, ψ_A, γ_A) and of B (μ_B, ψ_B, γ_B) together satisfy √(μ_A²+μ_B²)-GEDP for ψ* "
    "whose intervals lie inside both.",
)
def releases_under_different_functions_compose() -> Verdict:
    """ψ*-neighbors are neighbors for A and for B (Theorem 5.11), so each release keeps its μ for ψ*, and
    Theorem 5.7 adds the squares. For the two recommended choices together, √ and log, ψ* as defined from 0
    does not exist.
    """
    return holds(
        *_slopes(False),
        aside(_universe_agrees(False)),
        exact.compare(composed_square([3, 4]), "==", 5**2, "μ_A = 3 and μ_B = 4 give 5"),
        value="√(μ_A² + μ_B²)",
        condition="independent noise; ψ_A and ψ_B real at 0",
    )


@claim(
    "webb2025/rem-5.4",
    where="Section 5.1, Remark 5.4",
    says="In general each attribute has its own ψ_i and γ_i; Section 5.4 needs this.",
)
def one_function_does_not_serve_all_attributes() -> Verdict:
    """If one ψ with distances g_1, g_2 served both attributes, U_i(x) = ψ⁻¹(ψ(x)+g_i) would commute:
    U_1(U_2(x)) = U_2(U_1(x)). Combine √ at γ = 1/2 with x at d = 1 for attribute 1, at d = 4 for attribute 2
    (Section 5.4.4): U_2(U_1(0)) = 1 + 4 = 5, and U_1(U_2(0)) = U_1(4) = (5/2)² = 25/4.
    """
    first, second = (combined(root(), HALF, identity(), d, contains=True) for d in (1, 4))

    def up(psi: Combination, x: Fraction) -> Fraction:
        return Fraction(str(uncertainty_interval(psi, x, 1, SYM)[1]))

    zero = Fraction(0)
    return holds(
        exact.compare(up(second, up(first, zero)), "==", 5, "U_2(U_1(0))"),
        exact.compare(up(first, up(second, zero)), "==", Fraction(25, 4), "U_1(U_2(0))"),
    )
