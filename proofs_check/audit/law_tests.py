"""Regression tests for laws: a changed sampler against its predecessor, or against its density.

Events are learned on one half of the draws and tested on the other half, so that no assumption on the
law is needed: it may be discrete, have atoms or heavy tails, and an output may be a vector.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import log, sqrt
from numbers import Integral
from typing import Any

import mpmath
import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from establish.proofs_check.audit.black.confidence import lower, upper
from establish.proofs_check.audit.black.events import Event, number
from establish.proofs_check.audit.black.learn import learn
from establish.proofs_check.audit.black.samples import align
from establish.proofs_check.audit.question.level import Approximate
from establish.proofs_check.audit.question.mechanism import Mechanism
from establish.proofs_check.audit.question.result import Dataset
from establish.spec.parameters import ParameterError, probability

Floats = NDArray[np.float64]

Sampler = Callable[[int, np.random.Generator], ArrayLike] | ArrayLike
"""sampler(size, rng) → ``size`` draws, one per row; or the draws themselves."""

ERROR = 1e-9
"""The probability of a false alarm of one assertion, unless asked otherwise."""

DRAWS = 200_000
"""Draws of each law, unless asked otherwise."""

EVENTS = 16
"""So many of the learned events are tested."""

CELLS = 48
"""The line is cut at so many quantiles of the learning half, tails included."""

FEWEST = 1000
"""Fewer draws are refused."""

NORMALIZED = 1e-7
"""How far the integral of a density may be from 1, and how exactly it must be known."""


def assert_same_law(
    new: Any,
    old: Any,
    datasets: Iterable[Dataset] | None = None,
    *,
    samples: int = DRAWS,
    seed: int = 0,
    error: float = ERROR,
) -> float:
    """The two samplers have the same law, as far as ``samples`` draws of each can tell.

    new, old: sampler(size, rng), or arrays of draws, one per row; with ``datasets`` mechanisms as an
    audit takes them, compared on each dataset. Given how many of all draws lie in an event, the number
    of new ones among them is hypergeometric under one law (Fisher's exact test), so that laws that are
    equal fail with probability at most ``error``: EVENTS events per dataset share it. Returns a
    difference of probabilities for which no event of the learned forms is missed more than rarely:
    :func:`visible`.

    Raises AssertionError with the event and its frequency under both laws, ParameterError for samples
    that are too small or not finite and for an error that is no probability.
    """
    __tracebackhide__ = True
    _require(samples, error)
    cases: list[Dataset] = [None] if datasets is None else list(datasets)
    if not cases:
        raise ParameterError("datasets is empty: give at least one, or leave it out for samplers")
    smallest = samples
    for dataset in cases:
        drawn = []
        for number_, (name, sampler) in enumerate((("new", new), ("old", old))):
            if sampler is None:
                raise ParameterError(f"{name} = None is not a sampler: give sampler(size, rng) or draws")
            rng = np.random.default_rng([seed, number_])
            drawn.append(_drawn(sampler, dataset, datasets is not None, samples, rng))
        smallest = min(smallest, *map(len, drawn))
        _compare_laws(drawn[0], drawn[1], error / len(cases), dataset)
    return visible(smallest, error / len(cases))


def visible(draws: int, error: float = ERROR) -> float:
    """The difference of an event's probabilities that ``draws`` of each law show almost surely.

    Half of the draws are tested; by Hoeffding's inequality frequencies on m of them stray by more than
    √(ln(2/e)/2m) with probability at most e. Twice that, at the test's own error and at the same
    error for a miss, is enough for either law.
    """
    return min(1.0, 4 * sqrt(log(4 * EVENTS / error) / (draws // 2) / 2))


def assert_density(
    sampler: Sampler,
    law: Any,
    *,
    support: tuple[float, float] = (-mpmath.inf, mpmath.inf),
    breaks: Sequence[float] = (),
    samples: int = DRAWS,
    seed: int = 0,
    error: float = ERROR,
) -> float:
    """The draws have the density ``law``, as far as they can tell.

    sampler: sampler(size, rng) of real numbers, or the draws. law: a density of mpmath numbers, which
    is integrated over ``support``, with kinks at ``breaks``; or an object with ``cdf(x)`` for an int or
    a Fraction x, such as the laws of ``establish.spec.distributions``. The line is cut at CELLS
    quantiles of the first half of the draws; on the other half the number of draws below each cut,
    within each cell, around the middle and outside the support is binomial with the probability of the
    law, and is compared with Clopper–Pearson bounds that share ``error``. Infinite draws lie outside any
    support, and the ends of the support outside that of a density. Returns the largest difference of a
    probability below a cut that passes, by Hoeffding's inequality.

    Raises AssertionError with the place, the probability and the frequency, or when the density does
    not integrate to 1; ParameterError when the integral is not known well enough, for what is neither a
    density nor a law, and as :func:`assert_same_law` does.
    """
    __tracebackhide__ = True
    _require(samples, error)
    if not callable(law) and not callable(getattr(law, "cdf", None)):
        raise ParameterError(
            f"law = {law!r} is not allowed: give a density of mpmath numbers or an object with cdf(x)"
        )
    drawn = _finite(_samples(sampler, samples, np.random.default_rng([seed, 0])))
    if drawn.shape[1] != 1:
        raise ParameterError(f"draws of {drawn.shape[1]} numbers: a density is one of single numbers")
    learned, tested = drawn[::2, 0], drawn[1::2, 0]
    cuts = _cuts(learned, support)
    below = _below(law, cuts, support, breaks)
    edges = np.concatenate([[-np.inf], cuts, [np.inf]])
    cells = [(-np.inf, cut, p) for cut, p in zip(cuts, below, strict=True)]
    shares = np.diff(np.concatenate([[0.0], below, [1.0]]))
    cells += list(zip(edges[:-1], edges[1:], shares, strict=True))
    cells += [(cuts[i], cuts[-1 - i], below[-1 - i] - below[i]) for i in range(1, cuts.size // 2)]
    places = [(*_outside(law, tested, support), 0.0)]
    places += [(_place(low, high), (low < tested) & (tested <= high), share) for low, high, share in cells]
    each = error / (2 * len(places))
    for place, there, stated in places:
        count = int(there.sum())
        bounds = lower(count, tested.size, each), upper(count, tested.size, each)
        if not bounds[0] - NORMALIZED <= stated <= bounds[1] + NORMALIZED:
            raise AssertionError(
                f"the law gives {place} the probability {stated:.6g}, and "
                f"{count} of {tested.size} draws lie there ({count / tested.size:.6g}): between "
                f"{bounds[0]:.6g} and {bounds[1]:.6g} but with probability {error:g}"
            )
    return sqrt(log(1 / each) / tested.size / 2)


def _outside(law: Any, tested: Floats, support: tuple[float, float]) -> tuple[str, NDArray[np.bool_]]:
    """In words, and which draws lie there. A law with a distribution function may have mass at the ends."""
    low, high = map(float, support)
    inside = np.isfinite(tested) & (low < tested) & (tested < high)
    if callable(getattr(law, "cdf", None)):
        inside |= np.isfinite(tested) & ((tested == low) | (tested == high))
    words = " and ".join(f"{number(end)}" for end in (low, high))
    return f"what is not between {words}", ~inside


def _require(samples: int, error: float) -> None:
    """Raises ParameterError for numbers of draws and probabilities of a false alarm that cannot be."""
    probability("error", error)
    if isinstance(samples, bool) or not isinstance(samples, Integral) or samples < FEWEST:
        raise ParameterError(f"samples = {samples!r} is not allowed: it must be a whole number >= {FEWEST}")


def _compare_laws(new: Floats, old: Floats, error: float, dataset: Dataset) -> None:
    __tracebackhide__ = True
    first, second = align(new, old)
    level = Approximate(Fraction(0))
    learned = learn(first[: len(first) // 2], second[: len(second) // 2], level)
    tested = [side[len(side) // 2 :] for side in (first, second)]
    for found in learned[:EVENTS]:
        inside = [int(found.event.holds(side).sum()) for side in tested]
        sizes = [len(side) for side in tested]
        law = stats.hypergeom(sum(sizes), sum(inside), sizes[0])
        tail = min(law.cdf(inside[0]), law.sf(inside[0] - 1))
        if tail < error / (2 * EVENTS):
            raise AssertionError(_differs(found.event, inside, sizes, tail, dataset))


def _differs(event: Event, inside: list[int], sizes: list[int], tail: float, dataset: Dataset) -> str:
    shares = [f"{count / size:.6g}" for count, size in zip(inside, sizes, strict=True)]
    at = "" if dataset is None else f" on {dataset!r}"
    return (
        f"the laws differ{at}: the event '{event}' has frequency {shares[0]} under the new law and "
        f"{shares[1]} under the old one, among {sizes[0]} and {sizes[1]} draws; if the laws were the "
        f"same this would happen with probability {2 * tail:.2g}"
    )


def _drawn(sampler: Any, dataset: Dataset, mechanism: bool, size: int, rng: np.random.Generator) -> Floats:
    if mechanism:
        asked = Mechanism(sampler)
        drawn = asked.draw(dataset, size, rng)
        if asked.failures:
            asked.refuse()
        return _finite(drawn)
    return _finite(_samples(sampler, size, rng))


def _samples(sampler: Any, size: int, rng: np.random.Generator) -> Floats:
    raw = sampler(size, rng) if callable(sampler) else sampler
    drawn = np.asarray(raw, dtype=np.float64)
    if callable(sampler) and (not drawn.ndim or len(drawn) != size):
        raise ParameterError(
            f"sampler({size}, rng) returned the shape {drawn.shape}: the first axis must have {size} entries"
        )
    return drawn.reshape(len(drawn), -1) if drawn.ndim else drawn.reshape(1, 1)


def _finite(drawn: Floats) -> Floats:
    if len(drawn) < FEWEST or np.isnan(drawn).any():
        raise ParameterError(
            f"a sample of {len(drawn)} is not allowed: it must hold at least {FEWEST} numbers, no NaN"
        )
    return drawn


def _cuts(learned: Floats, support: tuple[float, float]) -> Floats:
    tails = [2.0**-k for k in range(6, int(np.log2(learned.size)) - 3)]
    shares = np.unique([*np.linspace(0, 1, CELLS + 1)[1:-1], *tails, *(1 - t for t in tails)])
    cuts = np.unique(np.quantile(learned, shares, method="nearest"))
    return cuts[(float(support[0]) < cuts) & (cuts < float(support[1]))]


def _below(law: Any, cuts: Floats, support: tuple[float, float], breaks: Sequence[float]) -> Floats:
    """The probability up to each cut."""
    if callable(getattr(law, "cdf", None)):
        return np.array([float(law.cdf(_exact(float(cut)))) for cut in cuts])
    kinks = sorted(float(b) for b in breaks if support[0] < b < support[1])
    ends = [support[0], *map(float, cuts), support[1]]
    parts, doubt = [], mpmath.mpf(0)
    for low, high in pairwise(ends):
        points = [low, *(kink for kink in kinks if low < kink < high), high]
        value, wrong = mpmath.quad(law, points, error=True)
        parts.append(value)
        doubt += wrong
    if doubt > NORMALIZED:
        raise ParameterError(
            f"the density is integrated to within {mpmath.nstr(doubt, 2)} only: name its kinks in breaks"
        )
    total = mpmath.fsum(parts)
    if abs(total - 1) > NORMALIZED:
        raise AssertionError(f"the density integrates to {mpmath.nstr(total, 10)}, not to 1")
    return np.cumsum([float(part) for part in parts])[:-1]


def _exact(x: float) -> int | Fraction:
    return int(x) if x.is_integer() else Fraction(x)


def _place(low: float, high: float) -> str:
    if low == -np.inf:
        return f"x ≤ {number(float(high))}"
    if high == np.inf:
        return f"x > {number(float(low))}"
    return f"{number(float(low))} < x ≤ {number(float(high))}"
