"""Theorem 5.3 and Section 5.3: how the length of an interval depends on the size in its middle."""

from collections.abc import Mapping

from establish import Below, Equal, Evidence, Real, Verdict, claim, holds, solver, symbolic
from establish.proofs_check.engine.conventions import by_convention
from establish.proofs_check.engine.rules import any_psi, instances, with_constant
from establish.proofs_check.engine.statements import Bounded, Comparison, ComparisonOfPsi, EveryPsi
from establish.proofs_check.engine.statements.statement import Formula
from establish.proofs_check.papers.webb2025.semantics import SAMPLING
from establish.spec.arithmetic import Number, World
from establish.spec.mechanisms.clipped_inverse import clipped_inverse, interval_length
from establish.spec.neighbor_functions.arbitrary import Arbitrary
from establish.spec.neighbor_functions.functions import NeighborFunction, logarithm, root


def _closer(real: bool) -> ComparisonOfPsi:
    """|ψ(y+t) − ψ(x+t)| ≤ |ψ(y) − ψ(x)| for x < y and t ≥ 0."""
    return EveryPsi(
        Real("x", **{"least" if real else "above": 0}),
        Real("y", above=lambda c, x: x),
        Real("t", least=0),
        left=lambda psi, c, x, y, t: c.absolute(psi.value(y + t, c) - psi.value(x + t, c)),
        relation="<=",
        right=lambda psi, c, x, y, t: c.absolute(psi.value(y, c) - psi.value(x, c)),
        real=real,
    )


CLOSER = _closer(True), _closer(False)


def _inverse_rises(real: bool) -> ComparisonOfPsi:
    """ψ⁻¹ at ψ(x) + t exists, is above x for t > 0, and ψ takes it back."""
    return EveryPsi(
        Real("x", **{"least" if real else "above": 0}),
        Real("s", least=0),
        Real("t", above=lambda c, x, s: s),
        left=lambda psi, c, x, s, t: psi.inverse(psi.value(x, c) + s, c),
        relation="<",
        right=lambda psi, c, x, s, t: psi.inverse(psi.value(x, c) + t, c),
        real=real,
    )


INVERSE = _inverse_rises(True), _inverse_rises(False)


def _relative(real: bool) -> ComparisonOfPsi:
    """|I(y)|/y ≤ |I(x)|/x for x > 0, y = r·x with r > 1, and t ≥ 0."""
    return EveryPsi(
        Real("x", above=0),
        Real("r", above=1),
        Real("t", least=0),
        left=lambda psi, c, x, r, t: interval_length(psi, r * x, t, c) / (r * x),
        relation="<=",
        right=lambda psi, c, x, r, t: interval_length(psi, x, t, c) / x,
        real=real,
    )


RELATIVE = _relative(True), _relative(False)


def relatively_no_longer(statement: ComparisonOfPsi) -> Evidence:
    """By the convexity of ψ∘exp at r times the ends of the interval of x."""
    psi = Arbitrary(statement.real)

    def upper(c: World, x: Number, r: Number, t: Number) -> Number:
        return psi.value(r * psi.inverse(psi.value(x, c) + t, c), c)

    def lower(c: World, x: Number, r: Number, t: Number) -> Number:
        return psi.value(r * clipped_inverse(psi, psi.value(x, c) - t, c), c)

    return any_psi(statement, solver.proves(statement.arbitrary, upper, lower))


@claim(
    "webb2025/thm-5.3-1",
    where="Section 5.1, Theorem 5.3, item 1",
    says="ψ⁻¹ exists and is increasing.",
    states=INVERSE,
)
def inverse_exists_and_increases() -> Verdict:
    """A strictly increasing continuous ψ maps [0, ∞) one to one onto [ψ(0), sup ψ), and if ψ⁻¹(u) ≥ ψ⁻¹(v)
    then u ≥ v. The supremum is ∞ by condition (4), so ψ⁻¹ is defined at every u ≥ ψ(0). Without (4) it is
    not: x/(1+x) stays below 1.
    """
    return holds(
        *(any_psi(piece, solver.proves(piece.arbitrary)) for piece in INVERSE), condition="on [ψ(0), ∞)"
    )


@claim(
    "webb2025/thm-5.3-2",
    where="Section 5.1, Theorem 5.3, item 2",
    says="For 0 ≤ x < y and t ≥ 0: |ψ(y+t) − ψ(x+t)| ≤ |ψ(y) − ψ(x)|.",
    states=CLOSER,
)
def adding_the_same_brings_values_closer() -> Verdict:
    """The four-point inequality: ψ(y+t) − ψ(y) ≤ ψ(x+t) − ψ(x) is ψ(y+t) − ψ(x+t) ≤ ψ(y) − ψ(x), and both
    sides are positive. It uses (1) and (3) only. At t = 0 the sides are equal.
    """
    return holds(*(any_psi(piece, solver.proves(piece.arbitrary)) for piece in CLOSER))


def _longer(real: bool) -> ComparisonOfPsi:
    """|I(x)| ≤ |I(y)| for x < y and t ≥ 0."""
    return EveryPsi(
        Real("x", **{"least" if real else "above": 0}),
        Real("y", above=lambda c, x: x),
        Real("t", least=0),
        left=lambda psi, c, x, y, t: interval_length(psi, x, t, c),
        relation="<=",
        right=lambda psi, c, x, y, t: interval_length(psi, y, t, c),
        real=real,
    )


LONGER = _longer(True), _longer(False)


def no_shorter(statement: ComparisonOfPsi) -> Evidence:
    """By concavity at the points that lie as far from y as the ends of the interval of x from x."""
    psi = Arbitrary(statement.real)

    def upper(c: World, x: Number, y: Number, t: Number) -> Number:
        return psi.value(y + psi.inverse(psi.value(x, c) + t, c) - x, c)

    def lower(c: World, x: Number, y: Number, t: Number) -> Number:
        return psi.value(y - x + clipped_inverse(psi, psi.value(x, c) - t, c), c)

    return any_psi(statement, solver.proves(statement.arbitrary, upper, lower))


@claim(
    "webb2025/thm-5.3-3",
    where="Section 5.1, Theorem 5.3, item 3",
    says="For 0 ≤ x < y and t ≥ 0 the interval around y is at least as long as that around x.",
    states=LONGER,
)
def intervals_do_not_get_shorter() -> Verdict:
    """h = ψ⁻¹ is convex. Upwards, h(u+t) − h(u) does not decrease in u. Downwards the step is
    s(u) = min(t, u − ψ(0)), which does not decrease either, so with u ≤ v:
    h(v) − h(v − s(v)) ≥ h(v) − h(v − s(u)) ≥ h(u) − h(u − s(u)). Clipping at ψ(0) does no harm. It uses
    (1)–(3), and (4) only for the existence of the upper end.
    """
    return holds(*map(no_shorter, LONGER))


@claim(
    "webb2025/thm-5.3-4",
    where="Section 5.1, Theorem 5.3, item 4",
    says="For 0 ≤ x < y and t ≥ 0: |I(y)|/y ≤ |I(x)|/x.",
    states=RELATIVE,
)
def relative_length_does_not_grow() -> Verdict:
    """k = (ψ∘exp)⁻¹ is
    concave, so k(u+t) − k(u) = ln(U/x) does not grow with u. Downwards, either the interval of x is clipped
    and L/x = 0, or neither is and ln(L/x) = −(k(u) − k(u−t)) does not decrease. So U/x − L/x does not grow.
    It uses (1), (2) and (4); clipping only lengthens the shorter one relatively.
    """
    return holds(*map(relatively_no_longer, RELATIVE), condition=by_convention("where defined", "webb2025"))


_SIZE, _DISTANCE = Real("x", above=0), Real("γ", above=0)

LOG_LENGTH = Equal(
    _SIZE,
    _DISTANCE,
    left=lambda c, x, gamma: interval_length(logarithm(), x, gamma, c),
    right=lambda c, x, gamma: (c.exp(gamma) - c.exp(-gamma)) * x,
)
"""For ψ = log the length is 2·sinh γ times x."""


@claim(
    "webb2025/sec5.3-log-len",
    where="Section 5.3",
    says="ψ = log makes the length of the interval around x proportional to x.",
    states=LOG_LENGTH,
    tight=LOG_LENGTH,
)
def log_intervals_are_proportional() -> Verdict:
    """ln x − γ is never below ψ(0) = −∞, so nothing is clipped: [xe^(−γ), xe^γ], of length 2x·sinh γ."""
    return holds(symbolic.proves(LOG_LENGTH), value="2·sinh(γ)·x", condition="x > 0")


_FAR = Real("x", least=lambda c, gamma: gamma * gamma)

ROOT_ORDER = Bounded(
    _DISTANCE,
    _FAR,
    left=lambda c, gamma, x: interval_length(root(), x, gamma, c),
    by=lambda c, gamma, x: gamma * c.sqrt(x),
)
"""One constant for all γ at once: that times γ is the constant of one γ."""

ROOT_LENGTH = Equal(
    _DISTANCE,
    _FAR,
    left=lambda c, gamma, x: interval_length(root(), x, gamma, c),
    right=lambda c, gamma, x: 4 * gamma * c.sqrt(x),
)


@claim(
    "webb2025/sec5.3-sqrt-len",
    where="Section 5.3",
    says="ψ = √ makes the length of the interval around x equal to O(√x), which matches the error of an "
    "attacker who randomly samples people in a region and obtains their employment information.",
    states=(ROOT_ORDER, *SAMPLING),
    tight=ROOT_LENGTH,
)
def root_intervals_grow_as_the_root() -> Verdict:
    """(√x+γ)² − (√x−γ)² = 4γ√x where √x ≥ γ. Below, the interval is clipped and its length (√x+γ)² is at
    least γ², which is not a multiple of √x near 0: the order is meant for x → ∞.
    """
    return holds(
        with_constant(ROOT_ORDER, lambda c: c.number(4), solver.proves(ROOT_ORDER.by(lambda c: c.number(4)))),
        *map(solver.proves, (*SAMPLING, ROOT_LENGTH)),
        value="4γ√x",
        condition="x ≥ γ²; as x → ∞, for a fixed share of sampled people",
    )


def log_length_increases() -> Evidence:
    """Evidence for the third of PRINCIPLES, from the closed form of the length at both sizes."""

    def at(size: Formula) -> Mapping[str, Formula]:
        return {"x": size, "γ": lambda c, gamma, x, more: gamma}

    both = [
        (LOG_LENGTH, at(lambda c, gamma, x, more: x)),
        (LOG_LENGTH, at(lambda c, gamma, x, more: x + more)),
    ]
    return instances(PRINCIPLES[2], both, symbolic.proves(LOG_LENGTH))


def _grows(psi: NeighborFunction, *, relative: bool) -> Comparison:
    """The length increases with the size; or, relative to the size, decreases."""

    def span(c: World, x: Number, gamma: Number) -> Number:
        length = interval_length(psi, x, gamma, c)
        return -length / x if relative else length

    return Below(
        _DISTANCE,
        _SIZE,
        Real("more", above=0),
        left=lambda c, gamma, x, more: span(c, x, gamma),
        right=lambda c, gamma, x, more: span(c, x + more, gamma),
    )


PRINCIPLES = (
    _grows(root(), relative=False),
    _grows(root(), relative=True),
    _grows(logarithm(), relative=False),
)
LOG_IS_CONSTANT = Equal(
    _DISTANCE,
    _SIZE,
    Real("y", above=0),
    left=lambda c, gamma, x, y: interval_length(logarithm(), x, gamma, c) / x,
    right=lambda c, gamma, x, y: interval_length(logarithm(), y, gamma, c) / y,
)
"""√ meets both principles; log the one on absolute lengths only, as its relative length is constant."""


@claim(
    "webb2025/sec5.3-firmprinciple",
    where="Section 5.3, Principles 1 and 2",
    says="Relative error protections should decrease and absolute ones increase with the size of an "
    "establishment; √ suits this better than log.",
    states=(*PRINCIPLES, LOG_IS_CONSTANT),
)
def root_meets_both_principles_and_log_one() -> Verdict:
    """With r = √x: the length is 4γr, or (r+γ)² when r ≤ γ, strictly increasing; relative to r² it is
    4γ/r, or (1+γ/r)², strictly decreasing. For log the length 2x·sinh γ increases and the relative length is
    constant. Neither carries over to firms: of a firm with four establishments of 9 a step of μ moves one
    by 13/4, however many the firm has, and a single establishment of 36 by 25/4 (γ = 1/2).
    """
    return holds(
        *(solver.proves(one) for one in PRINCIPLES[:2]),
        log_length_increases(),
        symbolic.proves(LOG_IS_CONSTANT),
        condition="sizes of establishments, not of firms",
    )
