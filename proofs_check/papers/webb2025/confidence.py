"""Section 6.1: the confidence interval and the maximum likelihood estimate from one noisy answer."""

from __future__ import annotations

import sympy
import z3

from establish.proofs_check.engine.methods import exact, solver, symbolic
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.verdicts import Verdict, aside, ill_posed
from establish.proofs_check.papers.webb2025.psi_estimators import mean
from establish.spec.arithmetic import EXACT, SYM
from establish.spec.distributions import normal
from establish.spec.mechanisms.psi_estimators import confidence_interval, maximum_likelihood
from establish.spec.neighbor_functions.functions import root

LOWEST, TRUE, ANSWER, HALF = z3.Reals("psi_0 psi_x omega h")


def _raised(z: z3.ArithRef) -> z3.ArithRef:
    """max(ψ(0), z)."""
    return z3.If(z < LOWEST, LOWEST, z)


@claim(
    "webb2025/sec6.1-ci",
    where="Section 6.1",
    says="[ψ⁻¹(ω − zγ/μ), ψ⁻¹(ω + zγ/μ)] is a 95% confidence interval when P(|N(0, 1)| ≤ z) = 95%.",
)
def interval_needs_clipping_at_zero() -> Verdict:
    """ψ⁻¹ is not defined below ψ(0), where ω − zγ/μ lies for small x (ψ = √, x = 0: with probability
    97.5%). Reading ψ⁻¹ as the square loses the coverage: at x = 0 the interval [(ω−h)², (ω+h)²] contains
    0 only if ω = h, that is never. With both ends raised to ψ(0) the interval contains x exactly when
    |ω − ψ(x)| ≤ h, if ψ(x) > ψ(0), and when ω ≤ ψ(x) + h, if x = 0: 95%, and 97.5% at x = 0. For ψ = ln,
    ψ(0) = −∞ and nothing needs raising.
    """
    domain = [HALF > 0, TRUE >= LOWEST]
    covers = z3.And(_raised(ANSWER - HALF) <= TRUE, _raised(ANSWER + HALF) >= TRUE)
    within = z3.And(ANSWER - HALF <= TRUE, TRUE <= ANSWER + HALF)
    above = solver.for_all(
        [*domain, TRUE > LOWEST],
        covers == within,
        "for x > 0 the raised interval contains x exactly when |ω − ψ(x)| ≤ h",
    )
    at_zero = solver.for_all(
        [*domain, TRUE == LOWEST],
        covers == (ANSWER <= TRUE + HALF),
        "for x = 0 the raised interval contains x exactly when ω ≤ ψ(0) + h",
    )
    low, high = ANSWER - HALF, ANSWER + HALF
    squared = solver.for_all(
        [HALF > 0],
        z3.And(low * low <= 0, high * high >= 0) == (ANSWER == HALF),
        "for ψ = √ the squared interval contains 0 only if ω = h",
    )
    low_end, high_end = confidence_interval(root(), 1, 1, 2, EXACT)
    z = sympy.Symbol("z", positive=True)
    return ill_posed(
        above,
        at_zero,
        squared,
        symbolic.identity(
            2 * normal.cdf(z, SYM) - 1,
            normal.cdf(z, SYM) - normal.cdf(-z, SYM),
            "P(|Z| ≤ z) = 2·P(Z ≤ z) − 1, so 95% on both sides is 97.5% on one",
        ),
        aside(exact.compare(low_end, "==", 0, "the raised lower end for ω = 1, h = 2, ψ = √")),
        aside(exact.compare(high_end, "==", 9, "its upper end")),
        condition="ψ⁻¹ of max(ψ(0), ·) at both ends; then at least 95%, and 97.5% at x = 0",
        counterexample="ψ = √, γ = μ, ω = 0: ψ⁻¹(−z) is undefined; squared, both ends are z²",
    )


@claim(
    "webb2025/sec6.1-mle",
    where="Section 6.1",
    says="ψ⁻¹(ω) is the maximum likelihood estimate of the true value, but is biased.",
)
def maximum_likelihood_needs_clipping_at_zero() -> Verdict:
    """The likelihood decreases with |ω − ψ(x)|. For ω ≥ ψ(0) the best x is ψ⁻¹(ω); for ω < ψ(0) it is 0,
    and ψ⁻¹(ω) is undefined (squaring ω = −1 gives 1, which is less likely than 0). The raised estimate
    is biased for √: at x = 0 its mean is s²/2. So is e^ω for ln: its mean is x·e^(s²/2).
    """
    best = solver.for_all(
        [TRUE >= LOWEST],
        (ANSWER - _raised(ANSWER)) * (ANSWER - _raised(ANSWER))
        <= (ANSWER - TRUE) * (ANSWER - TRUE),
        "no ψ(x) ≥ ψ(0) is nearer to ω than max(ψ(0), ω)",
    )
    squared = exact.compare(
        (-1 - 1) ** 2, ">", (-1 - 0) ** 2, "ω = −1 is farther from √1, 1 = ω², than from √0"
    )
    raised = maximum_likelihood(root(), -1, EXACT)
    noise = sympy.Symbol("Z", real=True)
    x, sd = sympy.symbols("x s", positive=True)
    density = sympy.exp(-(noise**2) / 2) / sympy.sqrt(2 * sympy.pi)
    at_zero = sympy.integrate((sd * noise) ** 2 * density, (noise, 0, sympy.oo))
    exponential = sympy.expand(x * sympy.exp(sd * noise))
    return ill_posed(
        best,
        squared,
        symbolic.identity(at_zero, sd**2 / 2, "E max(ω, 0)² for ψ = √ at x = 0, which is not 0"),
        symbolic.identity(mean(exponential), x * sympy.exp(sd**2 / 2), "E e^ω for ψ = ln, not x"),
        aside(exact.compare(raised, "==", 0, "the estimate for ω = −1, ψ = √")),
        condition="ψ⁻¹(max(ψ(0), ω)), over real x ≥ 0",
        counterexample="ψ = √, ω = −1: ψ⁻¹ is undefined, ω² = 1 is less likely than 0",
    )
