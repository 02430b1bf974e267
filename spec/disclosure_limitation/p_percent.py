"""Rules that call a cell sensitive: p%, pq and nk (Webb et al. 2025, Section 2.2).

A cell adds up nonnegative contributions. The rules ask how well its second largest contributor, who
subtracts its own from the total, knows the largest, or how much the largest few make up.
"""

from collections.abc import Sequence
from fractions import Fraction

from establish.spec.parameters import ParameterError, Rational, exact, positive


def _largest_first(contributions: Sequence[Rational]) -> list[Fraction]:
    values = sorted((exact("contribution", value) for value in contributions), reverse=True)
    if values and values[-1] < 0:
        raise ParameterError("contributions must be at least 0")
    return values


def remainder(contributions: Sequence[Rational]) -> Fraction:
    """The total minus the two largest contributions, 0 for at most two. ParameterError below 0."""
    return sum(_largest_first(contributions)[2:], Fraction(0))


def p_percent_sensitive(contributions: Sequence[Rational], p: Rational) -> bool:
    """Whether the remainder is less than p% of the largest contribution, p > 0.

    A cell of one or two contributors is sensitive unless all are 0. Raises ParameterError for p ≤ 0
    or a contribution below 0.
    """
    return pq_sensitive(contributions, p, 100)


def pq_sensitive(contributions: Sequence[Rational], p: Rational, q: Rational) -> bool:
    """The same when the attacker already knows every contribution to q%: q·remainder < p·largest.

    0 < p, 0 < q; q = 100 is the p% rule. Raises ParameterError outside.
    """
    largest = max(_largest_first(contributions), default=Fraction(0))
    return positive("q", q) * remainder(contributions) < positive("p", p) * largest


def nk_sensitive(contributions: Sequence[Rational], n: int, k: Rational) -> bool:
    """Whether the n ≥ 1 largest contributions are more than k% of the total, 0 < k < 100.

    Raises ParameterError outside.
    """
    share = positive("k", k)
    if n < 1 or share >= 100:
        raise ParameterError(f"n = {n}, k = {k} are not allowed: n ≥ 1, 0 < k < 100")
    values = _largest_first(contributions)
    return 100 * sum(values[:n]) > share * sum(values)


def estimate_of_largest(contributions: Sequence[Rational], attacker: int) -> Fraction:
    """What contributor number ``attacker``, 2 for the second largest, gets by subtracting its own.

    Total minus own: never below the largest contribution. Raises ParameterError where there is none.
    """
    values = _largest_first(contributions)
    if not 2 <= attacker <= len(values):
        raise ParameterError(
            f"attacker = {attacker} is not allowed: it is the rank of a contributor but the largest"
        )
    return sum(values) - values[attacker - 1]
