"""Section 8.2: in which groups the pnc-mechanism adds less noise than the √-mechanism."""

from establish import AtMost, Below, Integer, Real, Verdict, claim, exact, ill_posed, solver
from establish.proofs_check.engine.statements import Condition, given
from establish.spec.arithmetic import Number, World
from establish.spec.mechanisms.probably_no_clipping import sensitivity, upper_bound
from establish.spec.mechanisms.psi_estimators import variance_from_root
from establish.spec.neighbor_functions.functions import root

_PARAMETERS = Real("γ", above=0), Real("μ", above=0), Real("x", least=0)
"""Those of both mechanisms, and the total of a group."""


def _pnc(c: World, gamma: Number, mu: Number, x: Number, w: Number) -> Number:
    """The variance at the largest upper bound w²."""
    return c.power(sensitivity(root(), w * w, gamma, c) / mu, 2)


def _by_root(c: World, gamma: Number, mu: Number, x: Number, w: Number) -> Number:
    return variance_from_root(x, gamma / mu, c)


LESS = Below(
    *_PARAMETERS,
    Real("√u", least=0),
    left=_pnc,
    right=_by_root,
    given=[given(lambda c, gamma, mu, x, w: w * w, "<=", lambda c, gamma, mu, x, w: x)],
)
"""With the largest bound u at most the total."""


def _edge(c: World, gamma: Number, mu: Number, x: Number, w: Number) -> Number:
    """γ/2 + √(x + γ²/(2μ²))."""
    return gamma / 2 + c.sqrt(x + gamma * gamma / (2 * mu * mu))


def _beyond(relation: str) -> list[Condition]:
    return [given(lambda c, gamma, mu, x, w: w, relation, _edge)]


_BOUND = Real("√u", least=lambda c, gamma, mu, x: gamma)
LESS_UP_TO_THE_EDGE = Below(*_PARAMETERS, _BOUND, left=_pnc, right=_by_root, given=_beyond("<"))
NO_LESS_BEYOND = AtMost(*_PARAMETERS, _BOUND, left=_by_root, right=_pnc, given=_beyond(">="))


_MARGIN = Real("s", above=0), Real("τ̂", above=0)

BOUND_OF_EQUAL = Below(
    *_MARGIN,
    Real("√x", above=0),
    Integer("n", least=2),
    left=lambda c, sd, tau, size, n: upper_bound(root(), size, sd, tau, c),
    right=lambda c, sd, tau, size, n: n * size * size,
)
"""Of n establishments of one size none dominates: their bounds, at answers without noise, are below the
total.
"""

BOUND_BELOW_TOTAL = Below(
    *_MARGIN,
    Real("√x", least=0),
    Real("√total", above=lambda c, sd, tau, size: size + 2 * sd * tau),
    Real("noise", most=lambda c, sd, tau, size, total: sd * tau),
    left=lambda c, sd, tau, size, total, noise: upper_bound(root(), size + noise, sd, tau, c),
    right=lambda c, sd, tau, size, total, noise: total * total,
)
"""The noise is at most the margin with the probability with which the bound is one."""


@claim(
    "webb2025/sec8.2-noise",
    where="Section 8.2",
    says="Where no establishment dominates, a group's largest estimated upper bound is below its total, and "
    "the pnc-mechanism adds less noise than the √-mechanism.",
    states=(BOUND_OF_EQUAL, LESS),
    meant=(BOUND_BELOW_TOTAL, LESS),
    tight=(LESS_UP_TO_THE_EDGE, NO_LESS_BEYOND),
    scope="the same γ and μ for both",
)
def pnc_noise_is_less_up_to_a_bound_above_the_total() -> Verdict:
    """The margin of a bound does not shrink with the establishments: two of size 1 have the bound 4² each at
    γ = μ and τ̂ = 3, above their total of 2. With the same γ and μ, bound u = w² and total x = r²: Δ(u) is
    2γw − γ² for w ≥ γ and w² below, at most 2γw either way, so that u ≤ x gives Δ²/μ² ≤ 4γ²x/μ², less than
    the variance 4γ²x/μ² + 2γ⁴/μ⁴ of the unbiased √ answer. For w ≥ γ it is less exactly when
    w < γ/2 + √(x + γ²/(2μ²)): an establishment alone in its group, whose bound is generous, is answered
    better by the √-mechanism.
    """
    return ill_posed(
        exact.refuted(BOUND_OF_EQUAL, **{"s": 1, "τ̂": 3, "√x": 1, "n": 2}),
        *(solver.proves(one) for one in (BOUND_BELOW_TOTAL, LESS, LESS_UP_TO_THE_EDGE, NO_LESS_BEYOND)),
        condition="√x + 2γτ̂/μ is below the root of the total for every establishment of size x: the group is "
        "large against the margin of the bounds; and the same γ and μ for both",
        counterexample="γ = μ, τ̂ = 3, two establishments of size 1, answers without noise: the bounds are "
        "16, the total is 2",
        value="less exactly when √u < γ/2 + √(x + γ²/(2μ²)), for √u ≥ γ",
    )
