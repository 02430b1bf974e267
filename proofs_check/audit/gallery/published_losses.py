"""The true losses of the published suite, on the pairs that it is tried on.

Distribution functions and densities of Laplace and exponential noise are sums of c·e^(kx/UNIT) between
breaks, with whole k, and so are their products; an event of a noisy maximum or of a sparse vector is the
integral of such a product over the line, which is a sum of exponentials again. In Arb that is a certified
enclosure. Where the output is one of finitely many, the loss is the largest |ln P/Q| of a single one.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from establish.proofs_check.audit.gallery.published_noise import FILTER, MOST, ONCE, PERMANENT, SET, SHARED
from establish.proofs_check.audit.gallery.published_patterns import EPSILON, MAXIMA, THRESHOLDED, patterns
from establish.proofs_check.audit.gallery.published_sparse_vector import (
    NUMERICAL,
    NUMERICAL_MOST,
    UNIT,
    VARIANTS,
    Rates,
)
from establish.proofs_check.audit.question.result import Pair
from establish.spec.arithmetic import Number, World

Sum = dict[int, Number]
"""c by k: the function Σ c·e^(kx/UNIT)."""


class Broken(NamedTuple):
    """A function that is ``left`` below ``at`` and ``right`` from there on."""

    at: Fraction
    left: Sum
    right: Sum


def shares_below(at: Fraction, rate: int, c: World) -> Broken:
    """P(at + noise ≤ x) in x for Laplace noise of scale UNIT/rate."""
    up, down = _half(at, rate, c)
    return Broken(at, {rate: up}, {0: c.number(1), -rate: -down})


def shares_above(at: Fraction, rate: int, c: World) -> Broken:
    """P(at + noise ≥ x) in x."""
    up, down = _half(at, rate, c)
    return Broken(at, {0: c.number(1), rate: -up}, {-rate: down})


def density(at: Fraction, rate: int, c: World) -> Broken:
    """The density of at + noise."""
    up, down = _half(at, rate, c)
    scale = c.number(Fraction(rate, UNIT))
    return Broken(at, {rate: up * scale}, {-rate: down * scale})


def _half(at: Fraction, rate: int, c: World) -> tuple[Number, Number]:
    """½e^(∓rate·at/UNIT)."""
    away = c.number(Fraction(rate, UNIT) * at)
    return c.exp(-away) / 2, c.exp(away) / 2


def exponential_shares(at: Fraction, rate: int, c: World) -> Broken:
    """P(at + noise ≤ x) for exponential noise of mean UNIT/rate."""
    return Broken(at, {}, {0: c.number(1), -rate: -c.exp(c.number(Fraction(rate, UNIT) * at))})


def exponential_density(at: Fraction, rate: int, c: World) -> Broken:
    """The density of at + exponential noise."""
    height = c.number(Fraction(rate, UNIT)) * c.exp(c.number(Fraction(rate, UNIT) * at))
    return Broken(at, {}, {-rate: height})


def integral(factors: Sequence[Broken], c: World, below: Fraction | None = None) -> Number:
    """The integral of the product over the line, or up to ``below``."""
    ends = sorted({factor.at for factor in factors if below is None or factor.at < below})
    total = c.number(0)
    edges: list[Fraction | None] = [None, *ends, below]
    for low, high in itertools.pairwise(edges):
        inside = low if low is not None else -math.inf
        product: Sum = {0: c.number(1)}
        for factor in factors:
            side = factor.right if inside >= factor.at else factor.left
            product = _times(product, side)
        for k, height in product.items():
            total += height * (_primitive(k, high, 1, c) - _primitive(k, low, -1, c))
    return total


def _times(one: Sum, other: Sum) -> Sum:
    product: Sum = {}
    for (k, a), (m, b) in itertools.product(one.items(), other.items()):
        product[k + m] = product[k + m] + a * b if k + m in product else a * b
    return product


def _primitive(k: int, x: Fraction | None, side: int, c: World) -> Number:
    """∫ e^(kx/UNIT) at x; None for the infinite end on that side, where it must vanish."""
    if x is None:
        if k * side >= 0:
            raise ValueError("the integral does not exist")
        return c.number(0)
    if not k:
        return c.number(x)
    return c.exp(c.number(Fraction(k, UNIT) * x)) * UNIT / k


def place_of_the_maximum(d: Sequence[int], place: int, c: World, exponential: bool) -> Number:
    """P that the noisy answer at this place is the largest, the noise having rate ε/2."""
    rate = int(EPSILON / 2 * UNIT)
    dense, share = (exponential_density, exponential_shares) if exponential else (density, shares_below)
    others = [share(Fraction(x), rate, c) for at, x in enumerate(d) if at != place]
    return integral([dense(Fraction(d[place]), rate, c), *others], c)


def told(d: Sequence[int], above: Sequence[bool], rates: Rates, c: World) -> Number:
    """P of this sequence of answers of a sparse vector that tells which are above the threshold."""
    sides = [
        (shares_above if one else shares_below)(x - Fraction(str(rates.t)), rates.answers, c)
        for x, one in zip(d, above, strict=False)
    ]
    return integral([density(Fraction(0), rates.threshold, c), *sides], c)


def stops(answers: int, most: int) -> Iterator[tuple[bool, ...]]:
    """What a sparse vector can tell: all answers, or those up to the last one that it may report."""
    for above in itertools.product((False, True), repeat=answers):
        if sum(above) < most:
            yield above
        elif sum(above) == most:
            last = max(at for at, one in enumerate(above) if one)
            if not any(above[last + 1 :]):
                yield above[: last + 1]


def _largest(pairs: Sequence[Pair], loss: Callable[[Any, Any], Iterator[Number]]) -> Number:
    """The largest loss on any pair, in either direction."""
    return max((abs(one) for pair in pairs for one in loss(*pair)), key=lambda ball: float(ball))


def maximum(c: World, exponential: bool) -> Number:
    """Report noisy max 1 and 2."""

    def loss(d: Any, d2: Any) -> Iterator[Number]:
        for place in range(MAXIMA):
            p, q = (place_of_the_maximum(x, place, c, exponential) for x in (d, d2))
            yield c.log(p) - c.log(q)

    return _largest(patterns(MAXIMA), loss)


def sparse_vector(name: str, c: World) -> Number:
    """Variants that tell flags: 1, 2, 4 and 6."""
    rates = VARIANTS[name]

    def loss(d: Any, d2: Any) -> Iterator[Number]:
        seen: set[Any] = set()
        for above in stops(THRESHOLDED, rates.most or THRESHOLDED + 1):
            kind = tuple(sorted(zip(d, d2, above, strict=False)))
            if kind not in seen:  # the order of the answers does not matter
                seen.add(kind)
                yield c.log(told(d, above, rates, c)) - c.log(told(d2, above, rates, c))

    return _largest(patterns(THRESHOLDED), loss)


def numerical(c: World) -> Number:
    """The flags' loss, and 1/60 for every released value that moves: its noise is independent."""
    rates = Rates(1.0, _rate(NUMERICAL[0]), _rate(NUMERICAL[1]), NUMERICAL_MOST)
    released = Fraction(1, int(NUMERICAL[2]))

    def loss(d: Any, d2: Any) -> Iterator[Number]:
        seen: set[Any] = set()
        for above in stops(THRESHOLDED, rates.most):
            kind = tuple(sorted(zip(d, d2, above, strict=False)))
            if kind in seen:
                continue
            seen.add(kind)
            p, q = (_scaled_told(x, above, rates, c) for x in (d, d2))
            values = sum(abs(a - b) for a, b, one in kind if one)
            yield abs(c.log(p) - c.log(q)) + c.number(released * values)

    return _largest(patterns(THRESHOLDED), loss)


def _rate(scale: float) -> int:
    """In units of 1/120, so that both rates of the numerical one are whole."""
    return int(120 / scale)


def _scaled_told(d: Sequence[int], above: Sequence[bool], rates: Rates, c: World) -> Number:
    """The same event with everything divided by three, which brings 1/120 to 1/UNIT."""
    third = [Fraction(x, 3) - Fraction(1, 3) for x in d]
    sides = [
        (shares_above if one else shares_below)(x, rates.answers, c)
        for x, one in zip(third, above, strict=False)
    ]
    return integral([density(Fraction(0), rates.threshold, c), *sides], c)


def rappor(c: World, once: bool) -> Number:
    """Bits that differ, times the loss of one."""
    flipped = Fraction(str(ONCE if once else PERMANENT))
    kept, says = 1 - flipped / 2, (Fraction(0), Fraction(1))
    if not once:
        says = Fraction(45, 100), Fraction(55, 100)
    ones = [share * says[1] + (1 - share) * says[0] for share in (kept, 1 - kept)]
    differing = min(2 * (SET - SHARED), FILTER)
    return differing * c.log(c.number(ones[0] / ones[1]))


def truncated_geometric(c: World) -> Number:
    """ln(9/8) between neighbors inside 0 … n, and no more at the ends, where tails are added up."""
    assert MOST > 1, "an output lies on the same side of both counts"
    return c.log(c.number(Fraction(9, 8)))


TRUE: dict[str, Callable[[World], Number] | None] = {
    "report noisy max 1": lambda c: maximum(c, exponential=False),
    "report noisy max 2": lambda c: maximum(c, exponential=True),
    "report noisy max 3": lambda c: c.number(MAXIMA * EPSILON / 2),
    "report noisy max 4": None,
    "noisy histogram 1": lambda c: c.number(EPSILON),
    "noisy histogram 2": lambda c: c.number(1 / EPSILON),
    "prefix sums": lambda c: c.number(THRESHOLDED * EPSILON),
    "noisy sums": lambda c: c.number(EPSILON),
    "RAPPOR": lambda c: rappor(c, once=False),
    "one-time RAPPOR": lambda c: rappor(c, once=True),
    "truncated geometric": truncated_geometric,
    "SVT1": lambda c: sparse_vector("SVT1", c),
    "SVT2": lambda c: sparse_vector("SVT2", c),
    "SVT3": lambda c: c.number(THRESHOLDED * EPSILON / 2),
    "SVT4": lambda c: sparse_vector("SVT4", c),
    "SVT5": None,
    "SVT6": lambda c: sparse_vector("SVT6", c),
    "numerical SVT": numerical,
}
"""The largest loss on the suite's pairs by entry, None for an infinite one.

Noisy max 3: a half-line below all answers has the product of five ratios e^(ε/2), and no output has more.
SVT3: nine answers below the threshold and a released value below all answers each contribute e^(ε/2), and
no answer can contribute more, given the threshold. Prefix and noisy sums, histograms: independent Laplace
noise, where the losses of the answers add up. Noisy max 4: an output below the larger answers is possible
under one dataset only. SVT5: so are equal answers on two sides of the threshold.
"""
