"""Earnings bins (Foote et al. 2019, Section 4.1): half-open intervals with public end points.

Earnings are in dollars. Earnings e are in bin j when b_j ≤ e < b_{j+1}.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from establish.spec.arithmetic import Number, World
from establish.spec.distributions import gaussian
from establish.spec.parameters import ParameterError, positive

STATED_MEAN, STATED_SD = Fraction(11003, 1000), Fraction(753, 1000)
"""Mean and standard deviation of the logarithm of earnings as printed (footnote 18, note to Table 1)."""

BOTTOM = 10_000
"""The bottom cutoff in dollars (Section 4.1.1)."""

STATED_SHARES = (*(Fraction(k, 20) for k in range(1, 20)), Fraction(975, 1000), Fraction(999, 1000))
"""The shares whose log-normal quantiles are b_2, …, b_22: every 5%, then 97.5% and 99.9% (fn 18)."""

TABLE_1 = (
    10000, 17403, 22876, 27512, 31857, 36128, 40449, 44914, 49605, 54609, 60027,
    65982, 72639, 80226, 89080, 99735, 113106, 130970, 157509, 207050, 262475, 614597,
)  # fmt: skip
"""The bounds b_1, …, b_22 of the 21 bins as printed (Table 1), in dollars."""


def empty(share: Number, size: int, c: World) -> Number:
    """The probability that a bin of this share has none of ``size`` independent draws."""
    return c.power(1 - share, size)


def log_normal_quantile(share: Fraction, mean: Number, sd: Number, c: World) -> Number:
    """e^(mean + sd·z) with Φ(z) = share: the share-quantile of earnings with log-normal law.

    mean, sd: of the logarithm of earnings. Raises ParameterError for a share outside (0, 1).
    """
    return c.exp(c.number(mean) + c.number(sd) * gaussian.quantile(share, c))


def log_normal_share(earnings: Number, mean: Number, sd: Number, c: World) -> Number:
    """The probability of earning less than ``earnings`` > 0 under that law."""
    return gaussian.cdf((c.log(c.number(earnings)) - c.number(mean)) / c.number(sd), c)


def log_normal_edges(
    bottom: Number, shares: Sequence[Fraction], mean: Number, sd: Number, c: World
) -> tuple[Number, ...]:
    """The bottom cutoff, then the quantiles at ``shares`` (the log-normal bins of Section 4.1.1)."""
    return (c.number(bottom), *(log_normal_quantile(share, mean, sd, c) for share in shares))


def even_edges(bottom: Number, top: Number, bins: int, c: World) -> tuple[Number, ...]:
    """``bins`` intervals of equal width from bottom to top (the even bins of Section 4.1.1).

    Both ends must be public. Raises ParameterError for bins < 1.
    """
    if bins < 1:
        raise ParameterError(f"bins = {bins} is not allowed: there is at least one bin")
    low, high = c.number(bottom), c.number(top)
    return tuple(low + (high - low) * c.number(Fraction(k, bins)) for k in range(bins + 1))


@dataclass(frozen=True)
class Bins:
    """Half-open bins [b_1, b_2), …, [b_M, b_{M+1}), at least one.

    edges: b_1 < … < b_{M+1}, exact. open_top: whether the last bin takes all earnings ≥ b_M, as
    footnote 18 says of the log-normal bins; about earnings above even bins, and below any bins, the
    paper says nothing, and they lie in no bin.

    Raises ParameterError for fewer than two edges, an inexact one, or edges that do not increase.
    """

    edges: tuple[int | Fraction, ...]
    open_top: bool = True

    def __post_init__(self) -> None:
        if len(self.edges) < 2:
            raise ParameterError(f"edges = {self.edges} must be at least two: a bin has two ends")
        for low, high in pairwise(self.edges):
            if not all(isinstance(edge, (int, Fraction)) for edge in (low, high)):
                raise ParameterError(f"edges = {low!r}, {high!r} must be int or Fraction")
            if not low < high:
                raise ParameterError(f"edges = … {low}, {high} … must increase")

    def __len__(self) -> int:
        return len(self.edges) - 1

    def bin_of(self, earnings: int | Fraction) -> int | None:
        """The number of the bin that holds ``earnings``, from 1; None when none does."""
        if earnings < self.edges[0]:
            return None
        for number, upper in enumerate(self.edges[1:], start=1):
            if earnings < upper:
                return number
        return len(self) if self.open_top else None


PSEO_BINS = Bins(TABLE_1)
"""The 21 bins of Table 1."""


def equal_log_normal_shares(bins: int) -> tuple[Fraction, ...]:
    """The inner shares 1/M, …, (M−1)/M that make M log-normal bins equally likely (Section 4.1.1).

    Raises ParameterError for bins < 1.
    """
    count = int(positive("bins", bins))
    return tuple(Fraction(k, count) for k in range(1, count))
