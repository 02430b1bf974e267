"""Section 6.2: the upper bounds, the pnc-mechanism, its two ways to clip, and how it runs."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import sympy
import z3

from establish import Equal, Integer, Rational, Real, claim, exact, solver, symbolic
from establish.proofs_check.engine.rules import any_psi, chain, shift_obligations, shifted_normals
from establish.proofs_check.engine.rules.order import links
from establish.proofs_check.engine.statements import (
    ComparisonOfPsi,
    EstablishmentPrivate,
    EveryPsi,
    EverySum,
    Gedp,
)
from establish.proofs_check.engine.verdicts import Evidence, Outcome, Verdict, aside, fails, holds, misprint
from establish.proofs_check.papers.webb2025.psi_mechanism import private_evidence
from establish.spec.arithmetic import SYM, Number
from establish.spec.distributions import gaussian
from establish.spec.distributions.gaussian import Gaussian
from establish.spec.mechanisms.probably_no_clipping import (
    Clip,
    ProbablyNoClipping,
    PublishedProbablyNoClipping,
    clipped_at_largest,
    clipped_at_own,
    margin_of,
    published_sensitivity,
    sensitivity,
    upper_bound,
)
from establish.spec.neighbor_functions.arbitrary import Arbitrary
from establish.spec.neighbor_functions.functions import logarithm, root

HALF_SHIFTED = logarithm(Fraction(1, 2))
"""ψ(x) = ln(x + ½): a neighbor function with ψ(0) = −ln 2 < 0."""

BOUND = Fraction(3, 4)
"""An upper bound u* at which ψ(u*) − 1 < ψ(0) for ψ(x) = ln(x + ½)."""


TOGETHER = Equal(
    Real("1 − ζ", above=0, below=1),
    Integer("m", least=1),
    left=lambda c, kept, m: c.power(gaussian.cdf(margin_of(kept, m, c), c), m),
    right=lambda c, kept, m: kept,
)
"""Φ(τ̂)^m = 1 − ζ: m independent draws, each above −τ̂ with probability Φ(τ̂)."""

SYMMETRIC = Equal(
    Real("s", above=0),
    Real("τ"),
    left=lambda c, sd, tau: 1 - Gaussian(c.number(0), sd, c).cdf(-sd * tau),
    right=lambda c, sd, tau: gaussian.cdf(tau, c),
)
"""Noise of standard deviation s is above −s·τ with probability Φ(τ)."""


def _bounded(above: bool, real: bool) -> ComparisonOfPsi:
    """x ≤ u where the noise is at least −s·τ, and x > u where it is below, for x > 0."""
    end = {"least" if above else "below": lambda c, x, sd, tau: -sd * tau}
    return EveryPsi(
        Real("x", above=0),
        Real("s", above=0),
        Real("τ"),
        Real("noise", **end),
        left=lambda psi, c, x, sd, tau, noise: x,
        relation="<=" if above else ">",
        right=lambda psi, c, x, sd, tau, noise: upper_bound(psi, psi.value(x, c) + noise, sd, tau, c),
        real=real,
    )


BOUNDED = tuple(_bounded(above, real) for above in (True, False) for real in (True, False))
"""An establishment's value is at most its bound exactly when its noise is at least −s·τ̂."""


def within_margin() -> Evidence:
    """Evidence for TOGETHER."""
    return symbolic.proves(TOGETHER)


@claim(
    "webb2025/thm-6.7",
    where="Section 6.2, Theorem 6.7",
    says="With τ̂ = Φ⁻¹((1−ζ)^(1/(k·n))), all k·n inequalities r_j[C_i] ≤ u_(j,i) = ψ⁻¹(ω_(j,i) + γ_i·τ̂/μ_i) "
    "hold at once with probability 1 − ζ.",
    states=(TOGETHER, SYMMETRIC, *BOUNDED),
)
def bounds_hold_at_once() -> Verdict:
    """ψ(r) ≤ ω + s·τ̂ says that the noise is at least −s·τ̂, by symmetry an event of probability Φ(τ̂) =
    (1−ζ)^(1/(kn)); the k·n noises are independent, so together 1 − ζ, exactly. Where ω + s·τ̂ < ψ(0), ψ⁻¹
    is undefined and the inequality between the ψ values is false. If u is raised to 0 there, r ≤ u still
    means the same for r > 0, and is always true for r = 0: then the probability is at least 1 − ζ.
    """
    return holds(
        within_margin(),
        symbolic.proves(SYMMETRIC),
        *(any_psi(piece, solver.proves(piece.arbitrary)) for piece in BOUNDED),
        condition="independent noises, and r > 0; exactly 1 − ζ where an undefined ψ⁻¹ counts as failing, at "
        "least 1 − ζ where u is then raised to 0",
    )


def _covers(of: Callable[..., Number], real: bool = True) -> ComparisonOfPsi:
    """Δ is at least the distance of any two close values that are at most u*."""
    low: dict[str, Any] = {"least": 0} if real else {"above": 0}
    return EveryPsi(
        Real("γ", above=0),
        Real("u", **low),
        Real("x", **low, most=lambda c, gamma, u: u),
        Real("y", **low, most=lambda c, gamma, u, x: x),
        left=lambda psi, c, gamma, u, x, y: x - y,
        relation="<=",
        right=lambda psi, c, gamma, u, x, y: of(psi, u, gamma, c),
        given=[
            (
                lambda psi, c, gamma, u, x, y: psi.value(x, c) - psi.value(y, c),
                "<=",
                lambda psi, c, gamma, *_: gamma,
            )
        ],
        real=real,
    )


AS_PRINTED = _covers(published_sensitivity)
AS_MEANT = _covers(sensitivity), _covers(sensitivity, real=False)
"""Definition 6.8 with ψ(0), for ψ real at 0 and for ψ(0) = −∞."""


def sensitivity_covers(statement: ComparisonOfPsi) -> Evidence:
    """By concavity ψ(u*) − ψ(y + u* − x) ≤ ψ(x) − ψ(y) ≤ γ, so that y + u* − x is at least L."""

    def moved(c: Any, gamma: Number, u: Number, x: Number, y: Number) -> Number:
        return c.psi(y + u - x)

    return any_psi(statement, solver.proves(statement.arbitrary, moved))


@claim(
    "webb2025/def-6.8",
    where="Section 6.2, Definition 6.8",
    says="The per-group sensitivity is Δ = u* − ψ⁻¹(max(0, ψ(u*) − γ)).",
    states=AS_PRINTED,
    meant=AS_MEANT,
    tight=AS_MEANT,
)
def sensitivity_starts_at_psi_of_zero() -> Verdict:
    """The lower end of the uncertainty interval of u* is ψ⁻¹(max(ψ(0), ψ(u*) − γ)) (Definition 5.2). Printed
    is 0 for ψ(0): the same for √ and x, not for ln(x + a). For ψ(x) = ln(x + ½), γ = 1, u* = ¾ the printed
    Δ is ¾ − ψ⁻¹(0) = ¼, while 0 and ¾ are close (ln(5/2) < 1) and differ by ¾. For ψ = ln the printed Δ is
    0 at u* = 1. For ψ(0) > 0 the printed ψ⁻¹ may have no value.
    """
    bound = sympy.Symbol("u", positive=True)
    step = sympy.Symbol("gamma", positive=True)
    return misprint(
        exact.refuted(AS_PRINTED, ψ=HALF_SHIFTED, γ=1, u=BOUND, x=BOUND, y=0),
        *map(sensitivity_covers, AS_MEANT),
        aside(
            symbolic.identity(
                published_sensitivity(root(), bound, step, SYM),
                sensitivity(root(), bound, step, SYM),
                "for ψ = √ the two agree",
            )
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


PARAMETERS = Rational("γ", above=0), Rational("μ", above=0)


def _private(
    mechanism: type[PublishedProbablyNoClipping],
    name: str,
    clip: Clip = clipped_at_largest,
    real: bool = True,
) -> EstablishmentPrivate:
    return Gedp(
        *PARAMETERS,
        name=name,
        answers=lambda psi, gamma, mu: [(0, mechanism(psi, gamma, mu, clip=clip))],
        gamma=lambda gamma, mu: gamma,
        level=lambda c, gamma, mu: c.number(mu),
        bounded=True,
        real=real,
    )


PUBLISHED = _private(PublishedProbablyNoClipping, "pnc-mechanism as printed")
CORRECTED = tuple(
    _private(ProbablyNoClipping, "pnc-mechanism with ψ(0)", real=real) for real in (True, False)
)
CLIPPED_AT_OWN = tuple(
    _private(ProbablyNoClipping, "pnc-mechanism with ψ(0), clipped at own bounds", clipped_at_own, real)
    for real in (True, False)
)


def _noisier(real: bool) -> EstablishmentPrivate:
    """Noise for a budget ν of at most μ: a standard deviation of Δ/μ or more."""
    return Gedp(
        Rational("γ", above=0),
        Rational("ν", above=0),
        Rational("μ", least=lambda c, gamma, nu: c.number(nu)),
        name="pnc-mechanism with ψ(0) and noise Δ/ν",
        answers=lambda psi, gamma, nu, mu: [(0, ProbablyNoClipping(psi, gamma, nu, clip=clipped_at_largest))],
        gamma=lambda gamma, nu, mu: gamma,
        level=lambda c, gamma, nu, mu: c.number(mu),
        bounded=True,
        real=real,
    )


NOISIER = _noisier(True), _noisier(False)


@cache
def clipped_is_private(statement: EstablishmentPrivate) -> Evidence:
    """A clipped sum moves by at most Δ, by the concavity of ψ at the shift that takes the larger clipped
    value to u*, which is the hint; and Δ is at most the level times the noise.
    """
    somewhere = next(statement.domain.simple_points(1))
    ((_, mechanism),) = statement.answers(root(), *somewhere)
    if not hasattr(mechanism, "clip"):
        return private_evidence(statement)

    real = statement.real

    def reach(c: Any, *values: Number) -> Number:
        """Δ at the largest bound."""
        return sensitivity(Arbitrary(real), c.maximum(values[-2], values[-1]), values[0], c)

    def moved(c: Any, *values: Number) -> Number:
        x, y, _, u, v = values[-5:]
        most = c.maximum(u, v)
        own = u if mechanism.clip is clipped_at_own else most
        top, bottom = -c.maximum(-x, -own), -c.maximum(-y, -own)
        for value in (top, bottom, bottom + most - top):
            c.psi(value)
        return c.psi(top + most - bottom)

    within, same = shift_obligations(statement)
    near, enough = links(within, reach)
    chained = chain(within, (reach,), solver.proves(near, moved), solver.proves(enough))
    return shifted_normals(statement, chained, solver.proves(same))


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
    states=PUBLISHED,
    meant=CORRECTED,
    scope="ψ-neighbors, sums of one attribute by group, all bounds",
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
    broken = published.privacy_cost([0], [BOUND], [BOUND], SYM)
    at_half = published_sensitivity(HALF_SHIFTED, Fraction(1, 2), sympy.Integer(1), SYM)
    return misprint(
        exact.refuted(PUBLISHED, ψ=HALF_SHIFTED, γ=1, μ=1, x=0, y=BOUND, bound=BOUND),
        *map(clipped_is_private, CORRECTED),
        aside(symbolic.identity(broken, sympy.Integer(3), "as printed, with μ = 1, they cost")),
        aside(symbolic.identity(at_half, sympy.Integer(0), "as printed, the noise at u* = ½")),
        reading="Definition 6.8 with max(ψ(0), ·), the bounds being given; as printed for ψ(0) = 0",
        reading_is=Outcome.HOLDS,
        counterexample="ψ(x) = ln(x + 1/2), γ = 1, μ = 1, u* = 3/4: the neighbors (0) and (3/4) cost 3",
        value="3μ instead of μ in the counterexample; no bound as u* decreases to 1/2",
    )


SAME_SUMS = EverySum(
    Equal(
        Real("u*", least=0),
        Real("x", least=0),
        Real("u", least=0, most=lambda c, largest, x: largest),
        left=lambda c, largest, x, own: clipped_at_own([x], [own], c),
        right=lambda c, largest, x, own: clipped_at_largest([x], [largest], c),
    ),
    shared=["u*"],
)
"""Over the establishments of a group, of whose bounds u none is above u*."""


@claim(
    "webb2025/sec6.2-clip",
    where="Section 6.2, text, against Definition 6.8(3)",
    says="The values that Definition 6.8 sums are the min(r_j[C_i], u_(j,i)) that the text announces.",
    states=SAME_SUMS,
    tight=(*CORRECTED, *CLIPPED_AT_OWN),
)
def text_and_definition_clip_differently() -> Verdict:
    """The text clips each record at its own bound u_j, Definition 6.8 at the largest bound u* of the group.
    With bounds 0 and 1 and values 1 and 0 the sums are 0 and 1. Either way is μ-GEDP with the same noise
    (Theorem 6.9): u_j ≤ u*, and Δ increases with the bound. Clipping at u* changes fewer records.
    """
    return fails(
        exact.refuted(SAME_SUMS, **{"u*": 1}, terms=[(Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))]),
        *map(clipped_is_private, (*CORRECTED, *CLIPPED_AT_OWN)),
        counterexample="values (1, 0), bounds (0, 1): the text sums 0 + 0, the definition 1 + 0",
        value="both ways are private with the same noise; Definition 6.8 clips at u*",
    )


@claim(
    "webb2025/def-6.8-corrected",
    where="Section 6.2, Definition 6.8, as corrected",
    says="With max(ψ(0), ·) for max(0, ·), any bounds that are functions of released answers, and noise of "
    "standard deviation Δ/μ or more, the pnc-mechanism satisfies μ-GEDP for every neighbor function.",
    states=NOISIER,
    origin="corrected",
    scope="ψ-neighbors, sums of one attribute by group, all bounds",
)
def any_released_bounds_and_more_noise_are_private() -> Verdict:
    """The bounds are constants, since they come from answers with their own budget: whether they hold,
    or were rounded up, does not matter. One establishment changes, in one group; its clipped values differ
    by at most Δ, and so does the group's sum (Theorem 6.9). That is at most μ standard deviations.
    """
    return holds(*map(clipped_is_private, NOISIER), condition="the bounds being given")
