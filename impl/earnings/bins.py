"""Public bins of earnings: log-normal ones, even ones, or end points that are given."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import NormalDist

import numpy as np

from establish.impl.arrays import Floats, Integers
from establish.impl.counts import LARGEST_COUNT
from establish.spec.parameters import ParameterError, Rational, exact

RECOVERED_MEAN, RECOVERED_SD = 11.00255, 0.75275
"""Mean and standard deviation of the logarithm of earnings that give Table 1 of Foote et al. 2019 to
the dollar; the printed 11.003 and 0.753 are these, rounded, and do not."""

STATED_MEAN, STATED_SD = 11.003, 0.753
"""The same as printed (footnote 18)."""

BOTTOM, TOP = 10_000, 614_597
"""The lowest and the highest end point of Table 1, in dollars: public, whatever the data are."""

SHARES = (*(k / 20 for k in range(1, 20)), 0.975, 0.999)
"""The shares of the log-normal law whose quantiles are the end points after BOTTOM (footnote 18)."""


@dataclass(frozen=True)
class Bins:
    """Half-open bins [b_1, b_2), …, [b_M, b_{M+1}) with public end points in dollars.

    Every earnings amount has one bin: what is below b_1 is counted in the first bin (of which the
    paper says nothing) and what is at or above b_M in the last (footnote 18).

    Raises ParameterError for fewer than two end points, one that is negative or not finite, or end
    points that do not increase.
    """

    edges: tuple[float, ...]
    name: str = "given"
    rows: Floats = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.edges) < 2:
            raise ParameterError(f"bins = {self.edges} must have two end points or more")
        if not all(0 <= edge <= LARGEST_COUNT for edge in self.edges):
            raise ParameterError(f"bins = {self.edges} must be dollars from 0 to 2^53 − 1")
        for low, high in zip(self.edges, self.edges[1:], strict=False):
            if not low < high:
                raise ParameterError(f"bins = … {low:g}, {high:g} … must increase")
        object.__setattr__(self, "rows", np.array(self.edges, dtype=np.float64))

    def __len__(self) -> int:
        return len(self.edges) - 1

    def index(self, earnings: Floats) -> Integers:
        """The bin of each amount, from 0."""
        found = np.searchsorted(self.rows, earnings, side="right") - 1
        return np.clip(found, 0, len(self) - 1).astype(np.int64)


def log_normal(count: int | None = None, mean: float = RECOVERED_MEAN, sd: float = RECOVERED_SD) -> Bins:
    """Log-normal bins to the dollar, from the recovered parameters unless others are given.

    Without count the 21 bins of Table 1. With it, as Section 4.1.1 asks for, ``count`` bins that are
    equally likely in the law but for the first, which starts at BOTTOM, and the last, which ends at
    its 99.9% quantile. Raises ParameterError for count < 1, or so many that dollars coincide.
    """
    if count is not None and count < 1:
        raise ParameterError(f"bins = {count} is not allowed: there is at least one bin")
    shares = SHARES if count is None else (*(k / count for k in range(1, count)), SHARES[-1])
    law = NormalDist(mean, sd)
    edges = (float(BOTTOM), *(float(round(math.exp(law.inv_cdf(share)))) for share in shares))
    return Bins(edges, "log-normal" if (mean, sd) == (RECOVERED_MEAN, RECOVERED_SD) else "given")


def even(count: int = len(SHARES), bottom: float = BOTTOM, top: float = TOP) -> Bins:
    """``count`` bins of equal width between public ends, 21 as the log-normal ones by default.

    Raises ParameterError for count < 1.
    """
    if count < 1:
        raise ParameterError(f"bins = {count} is not allowed: there is at least one bin")
    edges = tuple(bottom + (top - bottom) * k / count for k in range(count + 1))
    return Bins(edges, "even" if (bottom, top) == (BOTTOM, TOP) else "given")


def bins_of(text: str) -> Bins:
    """``log-normal``, ``even``, or increasing end points in dollars, as "10000,25000,60000".

    Raises ParameterError for anything else.
    """
    if text == "log-normal":
        return log_normal()
    if text == "even":
        return even()
    if "," not in text:
        raise ParameterError(
            f"bins = {text} is not known: use log-normal, even, or end points as 10000,25000,60000"
        )
    return Bins(tuple(_end_point(part.strip()) for part in text.split(",")))


def named(name: str, edges: Sequence[float]) -> Bins:
    """The bins with these end points. Raises ParameterError for a name that other bins have."""
    made = Bins(tuple(edges), name)
    known = {
        "log-normal": (log_normal(), log_normal(len(made))),
        "even": (even(len(made)),),
        "given": (made,),
    }
    if name not in known or made.edges not in [bins.edges for bins in known[name]]:
        raise ParameterError(f"bins = {name} have other end points than these")
    return made


def _end_point(text: str) -> float:
    """An end point; one that no float holds is moved to where Bins refuses it as well."""
    return float(min(max(exact("bins", text), Fraction(-1)), Fraction(LARGEST_COUNT + 1)))


def percentages(values: Sequence[Rational]) -> tuple[tuple[int, int], ...]:
    """Percentiles Y as shares Y/100 in lowest terms (a, b): 25 is (1, 4).

    Raises ParameterError unless each is strictly between 0 and 100 with at most three decimals, or
    when one is given twice, or none is.
    """
    shares = [exact("percentile", value) / 100 for value in values]
    for value, share in zip(values, shares, strict=True):
        if not 0 < share < 1:
            raise ParameterError(
                f"percentile = {value} is not allowed: it must lie strictly between 0 and 100"
            )
        if 100_000 % share.denominator:
            raise ParameterError(f"percentile = {value} has more than three decimals")
    if not shares or len(set(shares)) < len(shares):
        raise ParameterError("percentiles must be one or more, each given once")
    return tuple((share.numerator, share.denominator) for share in shares)
