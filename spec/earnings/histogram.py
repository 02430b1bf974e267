"""The protected histogram (Foote et al. 2019, Section 4.1 and Definition 2.5).

Each bin count gets independent two-sided geometric noise with ratio ρ = e^(−ε).
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import comb

from establish.spec.arithmetic import MP, Number, World
from establish.spec.distributions import geometric
from establish.spec.distributions.geometric import Geometric
from establish.spec.earnings.bins import Bins
from establish.spec.parameters import ParameterError, Rational, positive

Counts = tuple[int, ...]
"""One count per bin; protected counts may be negative."""


def histogram(earnings: Iterable[int | Fraction], bins: Bins) -> Counts:
    """The number of earnings in each bin; earnings outside every bin are not counted."""
    counts = [0] * len(bins)
    for value in earnings:
        number = bins.bin_of(value)
        if number is not None:
            counts[number - 1] += 1
    return tuple(counts)


def outside(earnings: Iterable[int | Fraction], bins: Bins) -> int:
    """How many earnings lie in no bin."""
    return sum(bins.bin_of(value) is None for value in earnings)


def distance(counts: Sequence[int], others: Sequence[int]) -> int:
    """The L1 distance of two histograms over the same bins; the privacy loss is ε times it."""
    return sum(abs(a - b) for a, b in zip(counts, others, strict=True))


def joint_mass(noisy: Sequence[int], counts: Sequence[int], ratio: Number, c: World) -> Number:
    """The probability of the protected counts ``noisy`` when the true ones are ``counts``."""
    product = c.number(1)
    for output, count in zip(noisy, counts, strict=True):
        product = product * geometric.mass(output - count, ratio, c)
    return product


def total_noise_mass(k: int, bins: int, ratio: Number, c: World) -> Number:
    """P(K = k) for the sum K of ``bins`` independent two-sided geometric variables, M ≥ 1 of them.

    K is the difference of two sums of M one-sided geometric variables (negative binomial), so for k ≥ 0
    P(K = k) = (1−ρ)^(2M)·Σ_j C(j+M−1, j)·C(j+k+M−1, j+k)·ρ^(2j+k). Euler's transformation of this
    hypergeometric series ends after M terms: with x = ρ² the sum over j is

        ρ^k·(1−x)^(1−2M)·Σ_{i<M} C(k+M−1, M−1−i)·C(M−1−k, i)·x^i,

    where C(n, i) = n(n−1)…(n−i+1)/i! for negative n too. Rational when ρ is. Raises ParameterError for
    bins < 1.
    """
    if bins < 1:
        raise ParameterError(f"bins = {bins} is not allowed: there is at least one bin")
    k, r, top = abs(k), c.number(ratio), bins - 1
    series = c.number(0)
    for i in range(bins):
        weight = comb(k + top, top - i) * _binomial(top - k, i)
        series = series + c.number(weight) * c.power(r, 2 * i)
    outer = c.power(1 - r, 2 * bins) * c.power(r, k) / c.power(1 - r * r, 2 * bins - 1)
    return outer * series


def _binomial(n: int, i: int) -> int:
    """C(n, i) for every integer n: (−1)^i·C(i−n−1, i) when n < 0."""
    return comb(n, i) if n >= 0 else (-1) ** i * comb(i - n - 1, i)


class ProtectedHistogram:
    """Protected counts with privacy loss ε > 0 when one row is added or removed, 2ε when it changes.

    Raises ParameterError for ε outside its domain.
    """

    def __init__(self, bins: Bins, epsilon: Rational) -> None:
        self.bins = bins
        self.epsilon = positive("epsilon", epsilon)

    def ratio(self, c: World = MP) -> Number:
        """ρ = e^(−ε) = 1 − p for the p of Definition 2.5."""
        return c.exp(-c.number(self.epsilon))

    def output(self, earnings: Iterable[int | Fraction], c: World = MP) -> tuple[Geometric, ...]:
        """The laws of the protected counts, which are independent."""
        ratio = self.ratio(c)
        return tuple(Geometric(count, ratio, c) for count in histogram(earnings, self.bins))
