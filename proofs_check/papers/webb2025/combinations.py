"""Remark 5.4 and Sections 5.4.3 to 5.4.5: person-level privacy and combined neighbor functions."""

from fractions import Fraction

from establish import AtMost, Evidence, Real, Verdict, claim, exact, holds, rules, solver, symbolic
from establish.proofs_check.engine.statements import CombinedFunctions, EveryPsi, Integral, UnderBoth
from establish.proofs_check.papers.webb2025.composition import ADAPTIVE, ATTAINED, composes
from establish.spec.arithmetic import SYM, Number, World
from establish.spec.gaussian import total
from establish.spec.neighbor_functions.combinations import Combination, combined
from establish.spec.neighbor_functions.functions import NeighborFunction, identity, root
from establish.spec.neighbor_functions.intervals import uncertainty_interval

HALF = Fraction(1, 2)


CONTAINS = CombinedFunctions(contains=True, smaller=True)
CONTAINED = CombinedFunctions(contains=False, smaller=False)
"""Theorems 5.10 and 5.11; the first with one of the two functions real at 0."""


def combines(statement: CombinedFunctions) -> Evidence:
    """min and max of two slopes inherit what Definition 5.1 asks of slopes."""
    return rules.integral_of_slopes(statement, *map(solver.proves, rules.slopes_of_class(statement)))


@claim(
    "webb2025/thm-5.10",
    where="Section 5.4.4, Theorem 5.10",
    says="ψ* with slope min(ψ_A'/γ_A, ψ_B'/γ_B), integrated from 0, and γ* = 1 is a neighbor function whose "
    "intervals contain those of A and of B.",
    states=CONTAINS,
)
def smaller_slope_contains_both_intervals() -> Verdict:
    """Concave functions have slopes outside a countable set and are their integrals. The minimum of two
    positive non-increasing slopes is one; x times it is the minimum of two non-decreasing functions. It is
    integrable at 0 because ψ_A is bounded there. If |ψ_A(y) − ψ_A(x)| ≤ γ_A then
    |ψ*(y) − ψ*(x)| ≤ |ψ_A(y) − ψ_A(x)|/γ_A ≤ 1. Where both are log, ψ_A is not bounded at 0 and ψ* does not
    exist; with one log and √ it does.
    """
    return holds(combines(CONTAINS), condition="ψ_A or ψ_B real at 0: not both log")


@claim(
    "webb2025/thm-5.11",
    where="Section 5.4.5, Theorem 5.11",
    says="ψ* with slope max(ψ_A'/γ_A, ψ_B'/γ_B), integrated from 0, and γ* = 1 is a neighbor function whose "
    "intervals are contained in those of A and of B.",
    states=CONTAINED,
)
def larger_slope_is_contained_in_both_intervals() -> Verdict:
    """As for the minimum, with all inequalities of slopes reversed; the maximum is integrable at 0 because it
    is at most the sum. As soon as one of the two is log, which is not real at 0 but is one of the two choices
    for practice, the integral from 0 diverges and ψ* does not exist: for x > 0 integrate from 1.
    """
    return holds(combines(CONTAINED), condition="ψ_A and ψ_B real at 0: neither is log")


def _smaller_slope(c: World, d: Number, gamma: Number, t: Number) -> Number:
    """min of the slopes of √ over γ and of x over d, at t > 0."""
    slopes = root().slope(t, c) / gamma, identity().slope(t, c) / d
    return -c.maximum(*(-slope for slope in slopes))


CLOSED = Integral(
    Real("d", above=0),
    Real("γ", above=0),
    slope=_smaller_slope,
    first=lambda c, d, gamma, x: x / d,
    later=[
        (
            lambda c, d, gamma: d * d / (4 * gamma * gamma),
            lambda c, d, gamma, x: c.sqrt(x) / gamma - d / (4 * gamma * gamma),
        )
    ],
)
"""ψ* of Theorem 5.10 for √ at γ and x at d, as printed."""


@claim(
    "webb2025/sec5.4.4-closed",
    where="Section 5.4.4",
    says="√ at γ and x at d combine to γ* = 1 and ψ*(x) = x/d for x ≤ d²/(4γ²), √x/γ − d/(4γ²) beyond.",
    states=CLOSED,
)
def closed_form_of_root_and_identity() -> Verdict:
    """1/(2γ√x) ≥ 1/d exactly when √x ≤ d/(2γ). Up to there the integral is x/d; beyond, it is
    d/(4γ²) + (√x − d/(2γ))/γ, the printed expression. Value and slope agree where the pieces meet.
    """
    return holds(rules.antiderivative(CLOSED, *map(solver.proves, rules.antiderivatives(CLOSED))))


BOUNDED_CONTRIBUTION = AtMost(
    Real("d", least=0),
    Real("p", least=0, most=lambda c, d: d),
    Real("q", least=0, most=lambda c, d, p: d),
    Real("rest", least=0),
    left=lambda c, d, p, q, rest: c.absolute(identity().value(rest + p, c) - identity().value(rest + q, c)),
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
    return holds(
        solver.proves(BOUNDED_CONTRIBUTION), condition="contributions in [0, d_i], to one establishment"
    )


TOGETHER = UnderBoth(lambda c, first, second: total([first, second], c))


@claim(
    "webb2025/sec5.4.5",
    where="Section 5.4.5",
    says="Releases of A (μ_A, ψ_A, γ_A) and of B (μ_B, ψ_B, γ_B) together satisfy √(μ_A²+μ_B²)-GEDP for ψ* "
    "whose intervals lie inside both.",
    states=TOGETHER,
    tight=ATTAINED,
)
def releases_under_different_functions_compose() -> Verdict:
    """ψ*-neighbors are neighbors for A and for B (Theorem 5.11), so each release keeps its μ for ψ*, and
    Theorem 5.7 adds the squares. For the two recommended choices together, √ and log, ψ* as defined from 0
    does not exist.
    """
    return holds(
        rules.neighbors_of_both(
            TOGETHER, ADAPTIVE, composes(ADAPTIVE), solver.proves(rules.total_of_both(TOGETHER, ADAPTIVE))
        ),
        symbolic.proves(ATTAINED),
        value="√(μ_A² + μ_B²)",
        condition="independent noise; ψ_A and ψ_B real at 0",
    )


FIRST, SECOND = (combined(root(), HALF, identity(), d, contains=True) for d in (1, 4))


def up(psi: Combination, x: Fraction) -> Fraction:
    """The upper end of the interval around x at distance 1, which is rational."""
    return Fraction(str(uncertainty_interval(psi, x, 1, SYM)[1]))


def _apart(psi: NeighborFunction, c: World, first: Number, second: Number) -> Number:
    """How far the upper ends under one ψ, at two distances, are from those of both combinations."""
    ends = [
        (x, gamma, up(star, Fraction(x)))
        for x, star, gamma in ((0, FIRST, first), (0, SECOND, second), (1, SECOND, second), (4, FIRST, first))
    ]
    return sum(
        (c.absolute(psi.inverse(psi.value(c.number(x), c) + g, c) - c.number(end)) for x, g, end in ends),
        c.number(0),
    )


NOT_ONE = EveryPsi(Real("γ_1", above=0), Real("γ_2", above=0), left=0, relation="<", right=_apart)
"""No ψ with one distance for each of two attributes has the intervals of the two combinations."""


@claim(
    "webb2025/rem-5.4",
    where="Section 5.1, Remark 5.4",
    says="In general each attribute has its own ψ_i and γ_i; Section 5.4 needs this.",
    states=NOT_ONE,
)
def one_function_does_not_serve_all_attributes() -> Verdict:
    """If one ψ with distances g_1, g_2 served both attributes, U_i(x) = ψ⁻¹(ψ(x)+g_i) would commute:
    U_1(U_2(x)) = U_2(U_1(x)). Combine √ at γ = 1/2 with x at d = 1 for attribute 1, at d = 4 for attribute 2
    (Section 5.4.4): U_2(U_1(0)) = 1 + 4 = 5, and U_1(U_2(0)) = U_1(4) = (5/2)² = 25/4.
    """
    zero = Fraction(0)
    return holds(
        rules.any_psi(NOT_ONE, solver.proves(NOT_ONE.arbitrary)),
        exact.compare(up(SECOND, up(FIRST, zero)), "==", 5, "U_2(U_1(0))"),
        exact.compare(up(FIRST, up(SECOND, zero)), "==", Fraction(25, 4), "U_1(U_2(0))"),
    )
