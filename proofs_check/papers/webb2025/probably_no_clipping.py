"""Section 6.2: the upper bounds, the pnc-mechanism, its two ways to clip, and how it runs."""

from __future__ import annotations

from fractions import Fraction

import sympy
import z3

from establish.proofs_check.engine.methods import enclosure, exact, solver, symbolic
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.verdicts import (
    Evidence,
    Outcome,
    Verdict,
    aside,
    fails,
    holds,
    misprint,
)
from establish.proofs_check.papers.webb2025.psi_mechanism import (
    shifted_normals,
    sums_move_no_more_than_records,
)
from establish.spec.arithmetic import EXACT, SYM
from establish.spec.distributions import normal
from establish.spec.mechanisms.probably_no_clipping import (
    ProbablyNoClipping,
    PublishedProbablyNoClipping,
    clipped_at_largest,
    clipped_at_own,
    published_sensitivity,
    sensitivity,
)
from establish.spec.neighbor_functions.functions import logarithm, root

HALF_SHIFTED = logarithm(Fraction(1, 2))
"""ψ(x) = ln(x + ½): a neighbor function with ψ(0) = −ln 2 < 0."""

BOUND = Fraction(3, 4)
"""An upper bound u* at which ψ(u*) − 1 < ψ(0) for ψ(x) = ln(x + ½)."""


def within_margin() -> Evidence:
    """Φ(τ̂)^m = 1 − ζ for τ̂ = Φ⁻¹((1 − ζ)^(1/m)): m independent draws all lie below τ̂."""
    zeta, m = sympy.Symbol("zeta", positive=True), sympy.Symbol("m", positive=True)
    kept = sympy.exp(-zeta)
    tau = sympy.sqrt(2) * sympy.erfinv(2 * kept ** (1 / m) - 1)
    return symbolic.identity(
        sympy.powdenest(normal.cdf(tau, SYM) ** m, force=True),
        kept,
        "Φ(τ̂)^m, for 1 − ζ = e^(−zeta) between 0 and 1",
    )


@claim(
    "webb2025/thm-6.7",
    where="Section 6.2, Theorem 6.7",
    says="With τ̂ = Φ⁻¹((1−ζ)^(1/(k·n))), all k·n inequalities r_j[C_i] ≤ u_(j,i) = ψ⁻¹(ω_(j,i) + γ_i·τ̂/μ_i) "
    "hold at once with probability 1 − ζ.",
)
def bounds_hold_at_once() -> Verdict:
    """ψ(r) ≤ ω + s·τ̂ says that the noise is at least −s·τ̂, by symmetry an event of probability Φ(τ̂) =
    (1−ζ)^(1/(kn)); the k·n noises are independent, so together 1 − ζ, exactly. Where ω + s·τ̂ < ψ(0), ψ⁻¹
    is undefined and the inequality between the ψ values is false. If u is raised to 0 there, r ≤ u still
    means the same for r > 0, and is always true for r = 0: then the probability is at least 1 − ζ.
    """
    lowest, true, answer, margin = z3.Reals("psi_0 psi_r omega t")
    raised = z3.If(answer + margin < lowest, lowest, answer + margin)
    return holds(
        within_margin(),
        solver.for_all(
            [true >= lowest],
            (true <= raised) == z3.Or(true - answer <= margin, true == lowest),
            "the raised bound fails only where the noise is below −s·τ̂, and never at r = 0",
        ),
        condition="independent noises; exactly 1 − ζ where an undefined ψ⁻¹ counts as failing, at least "
        "1 − ζ where u is then raised to 0",
    )


def values_are_close() -> Evidence:
    """The values 0 and ¾ under ψ(x) = ln(x + ½) and γ = 1."""
    return enclosure.compare(
        lambda c: HALF_SHIFTED.value(c.number(BOUND), c) - HALF_SHIFTED.value(c.number(0), c),
        "<",
        enclosure.rational(1),
        "ψ(¾) − ψ(0) = ln(5/2) is at most γ = 1",
    )


@claim(
    "webb2025/def-6.8",
    where="Section 6.2, Definition 6.8",
    says="The per-group sensitivity is Δ = u* − ψ⁻¹(max(0, ψ(u*) − γ)).",
)
def sensitivity_starts_at_psi_of_zero() -> Verdict:
    """The lower end of the uncertainty interval of u* is ψ⁻¹(max(ψ(0), ψ(u*) − γ)) (Definition 5.2). Printed
    is 0 for ψ(0): the same for √ and x, not for ln(x + a). For ψ(x) = ln(x + ½), γ = 1, u* = ¾ the printed
    Δ is ¾ − ψ⁻¹(0) = ¼, while 0 and ¾ are close (ln(5/2) < 1) and differ by ¾. For ψ = ln the printed Δ is
    0 at u* = 1. For ψ(0) > 0 the printed ψ⁻¹ may have no value.
    """
    one = sympy.Integer(1)
    printed = published_sensitivity(HALF_SHIFTED, BOUND, one, SYM)
    meant = sensitivity(HALF_SHIFTED, BOUND, one, SYM)
    bound = sympy.Symbol("u", positive=True)
    step = sympy.Symbol("gamma", positive=True)
    return misprint(
        values_are_close(),
        symbolic.identity(printed, sympy.Rational(1, 4), "the printed Δ at u* = ¾"),
        symbolic.identity(meant, sympy.Rational(3, 4), "Δ with ψ(0) at u* = ¾"),
        symbolic.identity(
            published_sensitivity(root(), bound, step, SYM),
            sensitivity(root(), bound, step, SYM),
            "for ψ = √ the two agree",
        ),
        aside(
            symbolic.identity(
                published_sensitivity(logarithm(), 1, step, SYM),
                sympy.Integer(0),
                "for ψ = ln the printed Δ at u* = 1",
            )
        ),
        reading="max(ψ(0), ψ(u*) − γ)",
        reading_is=Outcome.HOLDS,
        counterexample="ψ(x) = ln(x + 1/2), γ = 1, u* = 3/4: Δ = 1/4, but 0 and 3/4 are close",
        value="u* − ψ⁻¹(max(ψ(0), ψ(u*) − γ))",
    )


def clipped_values_stay_within(own: bool) -> Evidence:
    """min(x, u) − min(y, u) ≤ u* − L for close x > y, u ≤ u* (own) or u = u*, for every neighbor function.

    L = ψ⁻¹(max(ψ(0), ψ(u*) − γ)), so ψ(u*) − ψ(L) = γ or L = 0. Concavity enters at the shift
    that takes the larger clipped value to u* (Theorem 5.3(2)), monotony between the named points.
    """
    x, y, u, largest, low, gamma = z3.Reals("x y u largest L gamma")
    psi = z3.Function("psi", z3.RealSort(), z3.RealSort())
    top, bottom = z3.If(x < u, x, u), z3.If(y < u, y, u)
    moved = bottom + (largest - top)
    points = (x, y, largest, low, top, bottom, moved)
    increasing = [z3.Implies(p < q, psi(p) < psi(q)) for p in points for q in points if p is not q]
    return solver.for_all(
        [
            *(y >= 0, x > y, psi(x) - psi(y) <= gamma, gamma >= 0),
            *(u >= 0, u <= largest, low >= 0, low <= largest, *([] if own else [u == largest])),
            z3.Or(low == 0, psi(largest) - psi(low) == gamma),
            *increasing,
            psi(largest) - psi(moved) <= psi(top) - psi(bottom),
        ],
        top - bottom <= largest - low,
        "close values, clipped at "
        + ("their own bound, at most u*," if own else "u*,")
        + " differ by at most Δ",
    )


@claim(
    "webb2025/thm-6.9",
    where="Section 6.2, Theorem 6.9",
    says="The pnc-mechanism satisfies μ-GEDP.",
)
def given_the_bounds_the_mechanism_is_private() -> Verdict:
    """The bounds are constants here: they come from answers that have their own budget. One establishment
    changes, in one group. Its clipped values p > q are close as well, since clipping moves them along ψ.
    By concavity ψ(u*) − ψ(q + u* − p) ≤ ψ(p) − ψ(q) ≤ γ, so q + u* − p ≥ L and p − q ≤ u* − L = Δ. That
    holds for clipping at u* and at any own bound u_j ≤ u*; both are μ-GEDP. It is attained at x = u*.

    With the printed 0 in place of ψ(0) it is false: for ψ(x) = ln(x + ½), γ = 1, u* = ¾, values 0 and ¾
    cost 3μ, and the cost has no bound as u* → ½, where the printed Δ is 0.
    """
    published = PublishedProbablyNoClipping(HALF_SHIFTED, 1, 1)
    corrected = ProbablyNoClipping(HALF_SHIFTED, 1, 1)
    broken = published.privacy_cost([0], [BOUND], [BOUND], SYM)
    repaired = corrected.privacy_cost([0], [BOUND], [BOUND], SYM)
    at_half = published_sensitivity(HALF_SHIFTED, Fraction(1, 2), sympy.Integer(1), SYM)
    return misprint(
        values_are_close(),
        *sums_move_no_more_than_records(),
        clipped_values_stay_within(own=False),
        *shifted_normals(),
        symbolic.identity(repaired, sympy.Integer(1), "as corrected, 0 and ¾ cost exactly μ = 1"),
        symbolic.identity(broken, sympy.Integer(3), "as printed, with μ = 1, they cost"),
        symbolic.identity(at_half, sympy.Integer(0), "as printed, the noise at u* = ½"),
        aside(clipped_values_stay_within(own=True)),
        reading="Definition 6.8 with max(ψ(0), ·), the bounds being given; as printed for ψ(0) = 0",
        reading_is=Outcome.HOLDS,
        counterexample="ψ(x) = ln(x + 1/2), γ = 1, μ = 1, u* = 3/4: the neighbors (0) and (3/4) cost 3",
        value="3μ instead of μ in the counterexample; no bound as u* decreases to 1/2",
    )


@claim(
    "webb2025/sec6.2-clip",
    where="Section 6.2, text, against Definition 6.8(3)",
    says="The values that Definition 6.8 sums are the min(r_j[C_i], u_(j,i)) that the text announces.",
)
def text_and_definition_clip_differently() -> Verdict:
    """The text clips each record at its own bound u_j, Definition 6.8 at the largest bound u* of the group.
    With bounds 0 and 1 and values 1 and 0 the sums are 0 and 1. Either way is μ-GEDP with the same noise
    (Theorem 6.9): u_j ≤ u*, and Δ increases with the bound. Clipping at u* changes fewer records.
    """
    own = clipped_at_own([1, 0], [0, 1], EXACT)
    largest = clipped_at_largest([1, 0], [0, 1], EXACT)
    return fails(
        exact.compare(own, "!=", largest, "the two sums for values (1, 0) and bounds (0, 1)"),
        aside(clipped_values_stay_within(own=True)),
        aside(clipped_values_stay_within(own=False)),
        counterexample="values (1, 0), bounds (0, 1): the text sums 0 + 0, the definition 1 + 0",
        value="both ways are private with the same noise; Definition 6.8 clips at u*",
    )


def more_noise_costs_no_more() -> Evidence:
    """A shift of at most Δ is at most μ standard deviations s, when s ≥ Δ/μ."""
    shift, reach, mu, sd = z3.Reals("shift Delta mu s")
    return solver.for_all(
        [shift >= 0, shift <= reach, mu > 0, sd > 0, sd * mu >= reach],
        shift <= mu * sd,
        "noise of standard deviation Δ/μ or more",
    )


@claim(
    "webb2025/def-6.8-corrected",
    where="Section 6.2, Definition 6.8, as corrected",
    says="With max(ψ(0), ·) for max(0, ·), any bounds that are functions of released answers, and noise of "
    "standard deviation Δ/μ or more, the pnc-mechanism satisfies μ-GEDP for every neighbor function.",
)
def any_released_bounds_and_more_noise_are_private() -> Verdict:
    """The bounds are constants, since they come from answers with their own budget: whether they hold,
    or were rounded up, does not matter. One establishment changes, in one group; its clipped values differ
    by at most Δ, and so does the group's sum (Theorem 6.9). That is at most μ standard deviations.
    """
    return holds(
        *sums_move_no_more_than_records(),
        clipped_values_stay_within(own=False),
        *shifted_normals(),
        more_noise_costs_no_more(),
        condition="the bounds being given",
    )
