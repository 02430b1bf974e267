"""Definition 5.1 and footnote 2: the class of neighbor functions."""

from collections.abc import Callable
from fractions import Fraction

import z3

from establish import Evidence, Verdict, aside, claim, exact, exhaustive, ill_posed, solver
from establish.proofs_check.engine.statements import AtMost, Below, Comparison, Every, Real
from establish.spec.arithmetic import Number, World
from establish.spec.neighbor_functions.conditions import Conditions, conditions, conditions_of
from establish.spec.neighbor_functions.functions import X, identity, logarithm, root

HALF = Fraction(1, 2)


def is_true(answer: bool | None, says: str) -> Evidence:
    """Evidence that a condition was decided to hold."""
    return exact.compare(int(answer is True), "==", 1, says)


def is_false(answer: bool | None, says: str) -> Evidence:
    """Evidence that a condition was decided to fail; ``says`` states the failure."""
    return exact.compare(int(answer is False), "==", 1, says)


def slopes_are_positive() -> Evidence:
    """x < y with slopes p ≥ q (concave) and xp ≤ yq (ψ∘exp convex): both are 0, or both are positive."""
    x, y, p, q = z3.Reals("x y p q")
    return solver.for_all(
        [x > 0, x < y, p >= q, x * p <= y * q],
        z3.And(p >= 0, q >= 0, (p == 0) == (q == 0)),
        "concavity and convexity of ψ∘exp leave only constant and strictly increasing functions",
    )


def grows_beyond_all_bounds() -> Evidence:
    """A convex g lies above its chord through 0 and 1 beyond 1, so ψ(e^s) = g(s) ≥ g(0) + s(g(1)−g(0))."""
    s, g_0, g_1, g_s = z3.Reals("s g_0 g_1 g_s")
    return solver.for_all(
        [s >= 1, g_1 > g_0, s * g_1 <= (s - 1) * g_0 + g_s],
        z3.And(g_s >= g_0 + s * (g_1 - g_0), g_1 - g_0 > 0),
        "ψ∘exp grows at least linearly, so ψ has no upper bound",
    )


def without(failing: Conditions) -> list[str]:
    """The names of the conditions (1)–(4) that come out false."""
    names = ("increasing", "continuous", "concave", "log_convex")
    return [name for name in names if getattr(failing, name) is False]


CHOICES_BELONG = Every(
    "neighbor function", lambda: (root(), logarithm()), lambda psi: conditions(psi).neighbor_function is True
)
CHOICES_BELONG_ABOVE_0 = Every(
    "neighbor function",
    lambda: (root(), logarithm()),
    lambda psi: not without(conditions(psi)),
    wrong=lambda psi: conditions(psi).neighbor_function is True,
)
"""The two choices for practice satisfy the definition; or conditions (1) to (4) on x > 0."""


SHIFTED_BELONG = Every(
    "constant a",
    lambda: map(Fraction, ("0", "1/2", "1", "3")),
    lambda a: all(conditions(psi(a)).neighbor_function is True for psi in (root, logarithm)),
)
"""Both shifted functions satisfy the definition."""


def _of_shifted(least: bool, value: Callable[[World, Number], Number]) -> tuple[Comparison, ...]:
    """That value(x + a) increases strictly and is concave, and is convex in ln x, for all a.

    least: whether a may be 0. value: √, or the logarithm, of which sums are those of products.
    """
    shift, x = Real("a", **{"least" if least else "above": 0}), Real("x", least=0)
    y = Real("y", above=lambda c, a, x: x)
    roots = Real("u", above=0), Real("v", above=0)

    def add(c: World, first: Number, second: Number) -> Number:
        return c.sqrt(first) + c.sqrt(second) if least else c.log(first * second)

    return (
        Below(shift, x, y, left=lambda c, a, x, y: value(c, x + a), right=lambda c, a, x, y: value(c, y + a)),
        AtMost(
            *(shift, x, y),
            left=lambda c, a, x, y: add(c, x + a, y + a),
            right=lambda c, a, x, y: add(c, (x + y) / 2 + a, (x + y) / 2 + a),
        ),
        AtMost(
            *(shift, *roots),
            left=lambda c, a, u, v: add(c, u * v + a, u * v + a),
            right=lambda c, a, u, v: add(c, u * u + a, v * v + a),
        ),
    )


EVERY_SHIFT = (*_of_shifted(True, lambda c, x: c.sqrt(x)), *_of_shifted(False, lambda c, x: c.log(x)))
"""Concave at the middle of x and y, convex at that of ln u² and ln v²: continuous functions are so then."""


@claim(
    "webb2025/def-5.1-class",
    where="Section 5.1, Definition 5.1, and Section 5.3 with footnote 2",
    says="Neighbor functions are real functions on the nonnegative reals, strictly increasing, continuous, "
    "concave, with ψ∘exp convex; the two choices for practice, √ and log, and more generally √(x+a) and "
    "log(x+a) for a constant a ≥ 0, are compatible with this.",
    states=(CHOICES_BELONG, SHIFTED_BELONG),
    meant=(CHOICES_BELONG_ABOVE_0, *EVERY_SHIFT),
)
def log_is_not_real_at_zero() -> Verdict:
    """√ and x satisfy all conditions. log satisfies (1)–(4) on x > 0 but is not defined at 0, where
    ψ(0) of Definition 5.2 would be −∞. With log read on x > 0, or with the value −∞ at 0, an establishment
    with 0 employees is close to no other one. Each of (3) and (4) is needed: x² violates (3) alone, x/(1+x)
    violates (4) alone. (2) follows from (3) except at 0, where a concave function may jump. (1) follows
    from (2)–(4) unless ψ is constant. From (4), ψ has no upper bound, which ψ⁻¹(ψ(x)+γ) needs.
    √(x+a) for a ≥ 0 and log(x+a) for a > 0 satisfy all. For 0 < a < 1 ψ(0) = log a is negative, which no
    condition forbids.
    """
    log = conditions(logarithm())
    return ill_posed(
        exact.refuted(CHOICES_BELONG, case=logarithm()),
        exact.refuted(SHIFTED_BELONG, case=Fraction(0)),
        exhaustive.each(CHOICES_BELONG_ABOVE_0, "√ and log"),
        *map(solver.proves, EVERY_SHIFT),
        is_true(conditions(logarithm(HALF)).neighbor_function, "log(x + 1/2) satisfies the definition"),
        is_true(conditions(root()).neighbor_function, "√x satisfies the definition"),
        is_true(conditions(identity()).neighbor_function, "x satisfies the definition"),
        is_false(log.real_at_zero, "log 0 is not real"),
        exact.compare(len(without(log)), "==", 0, "conditions that log violates on x > 0"),
        exact.compare(int(without(conditions_of(X**2)) == ["concave"]), "==", 1, "x² violates only (3)"),
        exact.compare(
            int(without(conditions_of(X / (1 + X))) == ["log_convex"]), "==", 1, "x/(1+x) violates only (4)"
        ),
        aside(slopes_are_positive()),
        aside(grows_beyond_all_bounds()),
        condition="log only on x > 0 (ψ(0) = −∞: 0 is close to 0 alone); a > 0 for log(x+a)",
        counterexample="ψ = log: ψ(0) = −∞ is not a real number",
    )
