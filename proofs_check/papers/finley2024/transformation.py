"""Transformation mechanisms: what a record costs, and estimates of the total."""

from functools import partial
from typing import Any

from establish import AtMost, Equal, Moment, Real, Verdict, claim, holds, repeats, solver, symbolic
from establish.proofs_check.engine.rules import slope_and_end, slope_obligations, substitute
from establish.proofs_check.engine.rules.substitution import obligations
from establish.spec.distributions.gaussian import Gaussian
from establish.spec.mechanisms.psi_estimators import unbiased_from_logarithm, unbiased_from_root
from establish.spec.mechanisms.transformation import (
    fourth_root,
    identity,
    logarithm,
    loss,
    policy,
    root,
    unbiased_from_fourth_root,
    variance_from_fourth_root,
)

costs = partial(claim, origin="unread", where="What a record costs")
estimates = partial(claim, origin="unread", where="Estimates of the total")
TOTAL, RECORD = Real("q", least=0), Real("x", least=0)
OFFSET, ABOVE, SD = Real("o", least=0), Real("o", above=0), Real("s", above=0)


def _within(f: Any, offset: Any) -> Any:
    """That a record costs most where it stands alone."""
    return AtMost(
        TOTAL,
        RECORD,
        offset,
        SD,
        left=lambda c, q, x, o, s: loss(f, q, x, o, s, c),
        right=lambda c, q, x, o, s: policy(f, x, o, s, c),
    )


BY_ROOT, BY_NOTHING = _within(root, OFFSET), _within(identity, OFFSET)
BY_LOGARITHM = _within(logarithm, ABOVE)


@costs(
    "finley2024/root-policy",
    says="The square-root transformation with normal noise satisfies per-record zCDP with the policy "
    "(√(x + o) − √o)²/(2σ²) for a record that adds x to a total, whatever the total.",
    states=BY_ROOT,
)
def root_policy() -> Verdict:
    """√ is concave, so that its growth by x is greatest at the total 0."""
    return holds(solver.proves(BY_ROOT))


@costs(
    "finley2024/logarithm-policy",
    says="The logarithmic transformation with an offset o > 0 satisfies it with the policy "
    "(ln(x + o) − ln o)²/(2σ²).",
    states=BY_LOGARITHM,
)
def logarithm_policy() -> Verdict:
    """(q + x + o)/(q + o) ≤ (x + o)/o."""

    def quotients(c: Any, q: Any, x: Any, o: Any, s: Any) -> Any:
        return c.log((q + x + o) / (q + o)) + c.log((x + o) / o) + c.log(c.number(1))

    return holds(solver.proves(BY_LOGARITHM, quotients))


BY_FOURTH_ROOT = _within(fourth_root, OFFSET)


def _squared(c: Any, more: Any, less: Any, s: Any) -> Any:
    return c.power(c.sqrt(more) - c.sqrt(less), 2) / (2 * c.power(s, 2))


BY_ROOT_OF_ROOTS = AtMost(
    Real("d", least=0),
    Real("b", least=lambda c, d: d),
    Real("e", least=lambda c, d, b: d),
    Real("a", least=lambda c, d, b, e: b, most=lambda c, d, b, e: b + e - d),
    SD,
    left=lambda c, d, b, e, a, s: _squared(c, a, b, s),
    right=lambda c, d, b, e, a, s: _squared(c, e, d, s),
)
"""What rises by at most as much, from at least as much, has a root that rises by at most as much."""


def _root_of(*parts: int) -> Any:
    """√ of the sum of some of the variables q, x and o, by their places."""
    return lambda c, *v: c.sqrt(sum((v[place] for place in parts), c.number(0)))


@costs(
    "finley2024/fourth-root-policy",
    says="The transformation by the fourth root satisfies it with the policy "
    "((x + o)^(1/4) − o^(1/4))²/(2σ²), whatever the total.",
    states=BY_FOURTH_ROOT,
)
def fourth_root_policy() -> Verdict:
    """√ is concave twice: √(q + x + o) − √(q + o) ≤ √(x + o) − √o, and so are the roots of these four."""
    values = {"d": _root_of(2), "b": _root_of(0, 2), "e": _root_of(2, 1), "a": _root_of(0, 2, 1)}
    values["s"] = lambda c, q, x, o, s: s
    owed = obligations(BY_FOURTH_ROOT, BY_ROOT_OF_ROOTS, values)
    return holds(substitute(BY_FOURTH_ROOT, BY_ROOT_OF_ROOTS, values, *map(solver.proves, owed)))


SQUARE_OF_SIZE = Equal(
    RECORD,
    SD,
    left=lambda c, x, s: policy(identity, x, c.number(0), s, c),
    right=lambda c, x, s: x * x / (2 * s * s),
)


@costs(
    "finley2024/no-transformation",
    says="Normal noise on the total itself costs a record x²/(2σ²), the square of its size.",
    states=[BY_NOTHING, SQUARE_OF_SIZE],
)
def no_transformation() -> Verdict:
    """The total drops out."""
    return holds(solver.proves(BY_NOTHING), solver.proves(SQUARE_OF_SIZE))


LINEAR = Equal(
    RECORD, SD, left=lambda c, x, s: policy(root, x, c.number(0), s, c), right=lambda c, x, s: x / (2 * s * s)
)
AT_MOST_LINEAR = AtMost(
    RECORD,
    OFFSET,
    SD,
    left=lambda c, x, o, s: policy(root, x, o, s, c),
    right=lambda c, x, o, s: x / (2 * s * s),
)


@costs(
    "finley2024/root-is-linear",
    says="Without an offset the square root costs a record x/(2σ²), in proportion to its size.",
    states=LINEAR,
)
def root_is_linear() -> Verdict:
    """(√x)² = x."""
    return holds(solver.proves(LINEAR))


@costs(
    "finley2024/offset-lowers",
    says="With an offset the square root costs a record at most x/(2σ²).",
    states=AT_MOST_LINEAR,
)
def offset_lowers() -> Verdict:
    """√(x + o) − √o ≤ √x."""
    return holds(solver.proves(AT_MOST_LINEAR, lambda c, x, o, s: c.sqrt(x)))


BY_ROOT_OF_SIZE = Equal(
    RECORD,
    SD,
    left=lambda c, x, s: policy(fourth_root, x, c.number(0), s, c),
    right=lambda c, x, s: c.sqrt(x) / (2 * s * s),
)


@costs(
    "finley2024/fourth-root-is-root",
    says="Without an offset the fourth root costs a record √x/(2σ²), the root of its size.",
    states=BY_ROOT_OF_SIZE,
)
def fourth_root_is_root() -> Verdict:
    """(x^{1/4})² = √x."""
    return holds(solver.proves(BY_ROOT_OF_SIZE))


LOGARITHMIC = Equal(
    RECORD,
    ABOVE,
    SD,
    left=lambda c, x, o, s: policy(logarithm, x, o, s, c),
    right=lambda c, x, o, s: c.power(c.log(1 + x / o), 2) / (2 * s * s),
)


@costs(
    "finley2024/logarithm-is-slow",
    says="The logarithm costs a record ln²(1 + x/o)/(2σ²), which grows with the square of a logarithm.",
    states=LOGARITHMIC,
)
def logarithm_is_slow() -> Verdict:
    """ln(x + o) − ln o = ln(1 + x/o)."""
    return holds(solver.proves(LOGARITHMIC, lambda c, x, o, s: c.log((x + o) / o)))


SLOWER = AtMost(Real("u", least=0), left=lambda c, u: c.log(1 + u * u), right=lambda c, u: u)


@costs(
    "finley2024/logarithm-below-root",
    says="With u² = x/o, ln(1 + x/o) is at most u: at one σ a record costs less by the logarithm than "
    "x/(2σ²o).",
    states=SLOWER,
)
def logarithm_below_root() -> Verdict:
    """The slope of u − ln(1 + u²) is (1 − u)²/(1 + u²)."""
    owed = slope_obligations(SLOWER, "u")
    return holds(slope_and_end(SLOWER, "u", *map(solver.proves, owed)))


def _rises(f: Any, offset: Any) -> Any:
    return AtMost(
        RECORD,
        Real("y", least=lambda c, x: x),
        offset,
        SD,
        left=lambda c, x, y, o, s: policy(f, x, o, s, c),
        right=lambda c, x, y, o, s: policy(f, y, o, s, c),
    )


RISES = (_rises(root, OFFSET), _rises(fourth_root, OFFSET), _rises(logarithm, ABOVE))


@costs(
    "finley2024/larger-records-cost-more",
    says="A larger record costs no less, by the square root, the fourth root and the logarithm.",
    states=RISES,
)
def larger_records_cost_more() -> Verdict:
    """The transformations increase."""
    return holds(*map(solver.proves, RISES))


AT_A_SIZE = Equal(
    Real("α", above=0),
    Real("n", above=0),
    SD,
    left=lambda c, alpha, n, s: loss(root, n, alpha * n, c.number(0), s, c),
    right=lambda c, alpha, n, s: n * c.power(c.sqrt(1 + alpha) - 1, 2) / (2 * s * s),
)
AT_ANY_SIZE = Equal(
    Real("α", above=0),
    Real("n", above=0),
    SD,
    left=lambda c, alpha, n, s: loss(logarithm, n, alpha * n, c.number(0), s, c),
    right=lambda c, alpha, n, s: c.power(c.log(1 + alpha), 2) / (2 * s * s),
)


@costs(
    "finley2024/er-ee-at-a-size",
    says="An establishment of size n that grows by the share α costs n·(√(1 + α) − 1)²/(2σ²) by the square "
    "root, and ln²(1 + α)/(2σ²) at every size by the logarithm without an offset.",
    states=[AT_A_SIZE, AT_ANY_SIZE],
)
def er_ee_at_a_size() -> Verdict:
    """√(n + αn) = √n·√(1 + α), and ln(n + αn) − ln n = ln(1 + α)."""
    return holds(
        solver.proves(AT_A_SIZE, lambda c, alpha, n, s: c.sqrt(n) * c.sqrt(1 + alpha)),
        solver.proves(AT_ANY_SIZE, lambda c, alpha, n, s: c.log((n + alpha * n) / n)),
    )


def _law(f: Any) -> Any:
    return lambda c, x, s: Gaussian(f(x, c), s, c)


POSITIVE = Real("x", above=0)


def _mean(f: Any, of: Any, closed: Any) -> Any:
    return Moment(
        POSITIVE, SD, law=_law(f), of=of, depends=True, closed=closed, breaks=(lambda c, x, s: f(x, c),)
    )


PLAIN_SQUARE = _mean(root, lambda c, x, s, w: w * w, lambda c, x, s: x + s * s)
PLAIN_FOURTH = _mean(
    fourth_root,
    lambda c, x, s, w: c.power(w, 4),
    lambda c, x, s: x + 6 * s * s * c.sqrt(x) + 3 * c.power(s, 4),
)
PLAIN_EXP = _mean(logarithm, lambda c, x, s, w: c.exp(w), lambda c, x, s: x * c.exp(s * s / 2))
ROOT = _mean(root, lambda c, x, s, w: unbiased_from_root(w, s, c), lambda c, x, s: x)
FOURTH = _mean(fourth_root, lambda c, x, s, w: unbiased_from_fourth_root(w, s, c), lambda c, x, s: x)
EXP = _mean(logarithm, lambda c, x, s, w: unbiased_from_logarithm(w, s, c), lambda c, x, s: x)
FOURTH_VARIANCE = _mean(
    fourth_root,
    lambda c, x, s, w: c.power(unbiased_from_fourth_root(w, s, c) - x, 2),
    lambda c, x, s: variance_from_fourth_root(x, s, c),
)


def integrated(statement: Any) -> Verdict:
    """The mean of a polynomial, or of an exponential, of normal noise, from its density."""
    return holds(symbolic.integrates(statement))


for _label, _says, _statement in (
    ("square-is-biased", "The square of the noisy square root has the mean x + σ².", PLAIN_SQUARE),
    (
        "fourth-power-is-biased",
        "The fourth power of the noisy fourth root has the mean x + 6σ²·√x + 3σ⁴.",
        PLAIN_FOURTH,
    ),
    ("exponential-is-biased", "The exponential of the noisy logarithm has the mean x·e^(σ²/2).", PLAIN_EXP),
    ("root-unbiased", "ω² − σ² is an unbiased estimate from the square root.", ROOT),
    ("fourth-root-unbiased", "ω⁴ − 6σ²ω² + 3σ⁴ is an unbiased estimate from the fourth root.", FOURTH),
    ("logarithm-unbiased", "e^(ω − σ²/2) is an unbiased estimate from the logarithm.", EXP),
    (
        "fourth-root-variance",
        "The unbiased estimate from the fourth root has the variance 16σ²x^(3/2) + 72σ⁴x + 96σ⁶√x + 24σ⁸.",
        FOURTH_VARIANCE,
    ),
):
    estimates(f"finley2024/{_label}", says=_says, states=_statement)(partial(integrated, _statement))

repeats(
    "finley2024/root-variance",
    where="Estimates of the total",
    says="The unbiased estimate from the square root has the variance 2σ²(2x + σ²).",
    same_as="webb2025/thm-6.6-sqrt-var",
    origin="unread",
)
repeats(
    "finley2024/logarithm-variance",
    where="Estimates of the total",
    says="The unbiased estimate from the logarithm has the variance x²(e^(σ²) − 1).",
    same_as="webb2025/thm-6.6-log-var",
    origin="unread",
)
