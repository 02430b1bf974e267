"""The least error under Gaussian privacy, by the events that an output is at least a number."""

from fractions import Fraction

from establish.proofs_check.engine.rules.rule import derived, rule
from establish.proofs_check.engine.statements import AtMost, Comparison, NoStepErrorBelow, Real
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.distributions.gaussian import cdf
from establish.spec.gaussian import least_step_error

REACH = 7
"""Terms within so many standard deviations are counted; the others are below 2^−39 each."""

TWO_TAILS = AtMost(
    Real("d", least=0),
    Real("b", least=0),
    left=lambda c, d, b: 2 * cdf(-d, c),
    right=lambda c, d, b: cdf(b - d, c) + cdf(-b - d, c),
)
"""Of two normal tails that begin 2d apart, the sum is least where they are equal."""


def pairs_of(mu: Fraction) -> int:
    """How many pairs of terms `half_lines` counts at μ."""
    return int(REACH / mu) + 1


def half_line_terms(statement: NoStepErrorBelow) -> tuple[Comparison, Comparison]:
    """What `half_lines` owes: that tails are least where they are equal, and that enough of them add up."""
    mu, value, pairs = statement.mu, statement.value, pairs_of(statement.mu)
    enough = AtMost(left=lambda c: c.number(value), right=lambda c: least_step_error(mu, pairs, c))
    return TWO_TAILS, enough


@rule
def half_lines(statement: NoStepErrorBelow, *evidence: Evidence) -> Evidence:
    """E|X_k − k| is the integral over c of P_k(X ≥ c) where c > k, and of P_k(X < c) where c ≤ k. Let j <
    c ≤ j + 1 and a = Φ⁻¹(P_j(X ≥ c)). Step by step Φ⁻¹(P_k(X ≥ c)) ≥ a − (j−k)μ for k ≤ j, and Φ⁻¹(P_k(X <
    c)) ≥ −a − (k−j)μ for k > j. With b = a + μ/2 these are b − (i+1/2)μ for i = j − k, and −b − (i+1/2)μ for
    i = k − j − 1. Take those with i < m = min(j+1, n−1−j) on both sides: by pairs, two tails are least at
    b = 0 (for b < 0 they change places, and for b = ±∞ their sum is 1). So the sum over k < n is at least
    2·Σ_{i<m} Φ(−(i+1/2)μ) for every c up to n − 1; m is at least any given number of pairs but for a bounded
    number of j, and the mean over k < n tends to no less than that.
    """
    return derived(statement, half_line_terms(statement), evidence, "half_lines")
