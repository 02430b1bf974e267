"""The exact way to an output, which decides the few draws that floats leave open, and the first try.

Its laws are compared with those of the specification, its outputs with those of the fast way from the same
bits, and the numbers that it is given exactly with their floats. No sample would show a fault here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from itertools import product, repeat
from typing import Any

import flint
import mpmath
import numpy as np

from establish.impl.earnings.quantile_tree import Draw
from establish.impl.sampling import laws
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.choice import choose
from establish.impl.sampling.escalation import IntegerLaw, quantile
from establish.impl.sampling.grid import REACH, Grid
from establish.impl.sampling.reals import Reals
from establish.impl.sampling.rounding import draw
from establish.impl.sampling.sampler import Sampler
from establish.impl.sampling.workspace import CHUNK, Workspace
from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import ARB, DIGITS, MP, Number, enclosing
from establish.spec.distributions.gaussian import Gaussian
from establish.spec.distributions.geometric import Geometric
from establish.spec.distributions.heavy_tailed import HeavyTailed
from establish.spec.distributions.laplace import Laplace
from establish.spec.distributions.log_laplace import LogLaplace
from establish.spec.distributions.lomax import Lomax
from establish.spec.earnings.quantile_tree import QuantileTree
from establish.spec.mechanisms.growth_laplace import GrowthLaplaceMechanism
from establish.spec.mechanisms.growth_staircase import (
    GrowthStaircaseMechanism,
    UnbiasedGrowthStaircaseMechanism,
)
from establish.spec.mechanisms.smooth_path import SmoothPathMechanism
from establish.spec.mechanisms.smooth_staircase import (
    SmoothStaircaseMechanism,
    UnbiasedSmoothStaircaseMechanism,
)
from establish.spec.mechanisms.whole_staircase import WholeStaircaseMechanism

SEED = 20_170_514
GRID = Grid(-1)
BITS = 192

CENTERS = (Fraction("21/8"), Fraction("-7/4"))
SCALES = (Fraction("37/16"), Fraction("5/16"))
"""Of two cells; floats hold them exactly."""

IN_PLACE = (
    ("laplace", laws.laplace_sampler, Laplace),
    ("gaussian", laws.gaussian_sampler, Gaussian),
    ("heavy-tailed", laws.heavy_tailed_sampler, HeavyTailed),
)
"""The samplers of a center and a scale, each with its law."""

COUNTS, GAMMA, EPSILON, ALPHA = (20, 3), Fraction(10), Fraction(1, 3), Fraction(1, 10)

WORDS = (0, 1, 2**61 + 12_345, 2**63 - 1, 2**63, 2**64 - 2**40, 2**64 - 1)
"""Uniform words at which the exact way is asked, far in both tails too."""

FURTHER = 0x9E3779B97F4A7C15
"""What extends every word, again and again."""


@dataclass(frozen=True)
class _Case:
    """A sampler of two cells, and P(output ≤ (k + 1/2) grid units) of cell i by the specification."""

    name: str
    sampler: Sampler
    law: IntegerLaw
    cdf: Callable[[int, Number], Number]
    grid: Grid

    def below(self, i: int, k: int) -> Number:
        return self.cdf(i, MP.number((k + Fraction(1, 2)) * Fraction(2) ** self.grid.exponent))


def _floats(values: tuple[Fraction, ...], times: int) -> Reals:
    return Reals.floats(np.array([float(value) for value in values] * times))


def _cdf_of(cells: Sequence[Any], i: int, x: Number) -> Number:
    return cells[i].cdf(x)


def _cases(times: int = 1) -> Iterator[_Case]:
    """The samplers, each cell so many times."""
    centers, scales = _floats(CENTERS, times), _floats(SCALES, times)
    for name, sampler, law in IN_PLACE:
        made = sampler(centers, scales, GRID)
        own = [law(MP.number(a), MP.number(b), c=MP) for a, b in zip(CENTERS, SCALES, strict=True)]
        yield _Case(name, made, made.law, partial(_cdf_of, own), GRID)
    log_laplace = laws.log_laplace_sampler(
        Reals.integers(np.array(COUNTS * times)), Reals.fraction(GAMMA), scales, GRID
    )
    logs = [
        LogLaplace(MP.number(n), MP.number(GAMMA), MP.number(scale))
        for n, scale in zip(COUNTS, SCALES, strict=True)
    ]
    yield _Case(
        "log-laplace",
        log_laplace,
        log_laplace.law,
        lambda i, x: logs[i].cdf(x) if x > MP.number(-GAMMA) else MP.number(0),
        GRID,
    )
    yield from _of_our_own(times)
    geometric = laws.two_sided_geometric_sampler(EPSILON, 2 * times)
    ratio = MP.exp(-MP.number(EPSILON))
    yield _Case(
        "two-sided geometric",
        geometric,
        geometric.law,
        lambda _, x: Geometric(0, ratio).cdf(int(mpmath.floor(x))),
        Grid.INTEGERS,
    )


def _of_our_own(times: int) -> Iterator[_Case]:
    """The laws that no paper publishes."""
    centers, scales = _floats(CENTERS, times), _floats(SCALES, times)
    ends = [(MP.number(a), MP.number(b)) for a, b in zip(CENTERS, SCALES, strict=True)]
    lomax = laws.lomax_sampler(centers, scales, Reals.fraction(EPSILON), GRID)
    tails = [Lomax(a, b, 1 + 1 / MP.number(EPSILON), MP.number(1)) for a, b in ends]
    yield _Case("lomax", lomax, lomax.law, partial(_cdf_of, tails), GRID)
    for kind in (SmoothStaircaseMechanism, UnbiasedSmoothStaircaseMechanism, SmoothPathMechanism):
        standard = kind(ALPHA, 1).cell_law(0, 0)
        steps = laws.two_sided_sampler(centers, scales, standard, GRID)
        own = [replace(standard, center=a, scale=b) for a, b in ends]
        yield _Case(kind.__name__, steps, steps.law, partial(_cdf_of, own), GRID)
    counts = np.array(COUNTS * times, dtype=np.float64)
    growth = laws.growth_laplace_sampler(counts, ALPHA, EPSILON)
    carried = [GrowthLaplaceMechanism(ALPHA, EPSILON).output((n,)) for n in COUNTS]
    yield _Case("growth-laplace", growth, growth.law, partial(_cdf_of, carried), Grid.INTEGERS)
    specified = GrowthStaircaseMechanism(ALPHA, EPSILON)
    stairs = laws.growth_staircase_sampler(counts, ALPHA, specified.down, specified.up, EPSILON)
    stepped = [specified.output((n,)) for n in COUNTS]
    yield _Case("growth-staircase", stairs, stairs.law, partial(_cdf_of, stepped), Grid.INTEGERS)
    yield from _on_whole_numbers(times)


def _on_whole_numbers(times: int) -> Iterator[_Case]:
    """Counts on both sides of where gaps become shorter than 1, at halves of odd places, and beyond M."""
    specified = WholeStaircaseMechanism(ALPHA, 1)
    for counts in (COUNTS, (21, 31), (300, 10_000)):
        floats = np.array(counts * times, dtype=np.float64)
        sampler = laws.whole_staircase_sampler(floats, specified.scale, specified.ladder)
        own = [specified.output((n,)) for n in counts]
        yield _Case("whole-staircase", sampler, sampler.law, partial(_cdf_of, own), Grid.INTEGERS)


def _encloses(case: tuple[_Case, int, int]) -> bool:
    """Whether both bounds are within 10^−40 of what the specification says."""
    sampler, i, k = case
    with enclosing(BITS):
        low, high = sampler.law.cumulative(i, k)
        return _is_around(low, high, sampler.below(i, k))


def _is_around(low: flint.arb, high: flint.arb, value: Number) -> bool:
    """Whether both are within 10^−40 of a value of 50 digits, and of each other."""
    told, tiny = flint.arb(mpmath.nstr(value, DIGITS)), flint.arb(10) ** -40
    return bool(low - tiny < told) and bool(told < high + tiny) and bool(high - low < tiny)


def _is_the_quantile(case: tuple[_Case, int, int, int]) -> bool:
    """Whether p lies between the distribution function before and at the output, from any guess.

    What lies beyond the grid is moved to its ends.
    """
    sampler, i, word, guess = case
    k = quantile(sampler.law, i, word, repeat(FURTHER), guess)
    p = (MP.number(word) + MP.number(Fraction(FURTHER, 2**64 - 1))) / MP.number(2**64)
    above = k == -REACH or bool(sampler.below(i, k - 1) < p)
    return above and (k == REACH or bool(p <= sampler.below(i, k)))


def _is_the_fast_one(sampler: _Case) -> bool:
    """Whether all draws the exact way, and with few bits seen, are those of the fast way."""
    fast = draw(sampler.sampler, Bits.seeded(SEED))
    slow = draw(sampler.sampler, Bits.seeded(SEED), slack=1.0)
    blurred = draw(sampler.sampler, Bits.seeded(SEED), seen=12)
    same = [np.array_equal(fast.values, other.values) for other in (slow, blurred)]
    return all(same) and slow.escalated == fast.values.size and fast.escalated < slow.escalated


def _long() -> Iterator[tuple[str, Sampler]]:
    """A chunk of cells for each sampler with a first try; counts from 0 to 9,999, and scales up to 5,000."""
    counts = np.arange(CHUNK) * 7919 % 10_000
    centers, third = Reals.integers(counts), Reals.fraction(Fraction(1, 3))
    scales = third.times(Reals.floats(1.0 + counts[::-1] * 1.5))
    for name, build, _ in IN_PLACE:
        yield name, build(centers, scales, GRID)
    yield "log-laplace", laws.log_laplace_sampler(centers, Reals.fraction(GAMMA), third, GRID)
    yield "lomax", laws.lomax_sampler(centers, scales, third, GRID)
    alpha, epsilon = Fraction(1, 10), Fraction(1)
    for kind in (SmoothStaircaseMechanism, SmoothPathMechanism):
        law = kind(alpha, epsilon).cell_law(0, 0)
        yield kind.__name__, laws.two_sided_sampler(centers, scales, law, GRID)
    floats = counts.astype(np.float64)
    yield "growth-laplace", laws.growth_laplace_sampler(floats, alpha, epsilon)
    yield (
        "growth-staircase",
        laws.growth_staircase_sampler(floats, alpha, Fraction(2, 5), Fraction(1, 3), epsilon),
    )
    unbiased = UnbiasedGrowthStaircaseMechanism(alpha, epsilon).outputs(MP)
    yield "unbiased growth-staircase", laws.unbiased_growth_staircase_sampler(floats, unbiased)
    yield "two-sided geometric", laws.two_sided_geometric_sampler(EPSILON, CHUNK)


def _is_the_careful_one(case: tuple[str, Sampler]) -> bool:
    """Whether the first try settles most draws, each as the careful way does."""
    _, sampler = case
    first, work, values = sampler.chords(), Workspace(), np.empty(CHUNK)
    if first is None:
        return False
    left = first.settle(slice(0, CHUNK), Bits.seeded(SEED).words(CHUNK), values, work)
    careful = draw(sampler, Bits.seeded(SEED)).values
    values[left] = careful[left]
    return np.array_equal(values, careful) and left.size < CHUNK // 2


CANDIDATES, WEIGHTS, EARNED = (2, 4, 6, 8), (1.0, 2.0, 1.0, 3.0), (1, 3, 3, 5, 7)


def _draws(times: int) -> Draw:
    """The draw of a third among candidates 2 to 8, and among 4 and 6 only."""
    below = np.array([[sum(e < y for e in EARNED) for y in CANDIDATES]] * 2 * times)
    ends = (np.array(ends * times) for ends in ([0, 0], [len(EARNED)] * 2, [0, 1], [3, 2]))
    before, sizes, first, last = ends
    share = Fraction(1, 3)
    return Draw(below, np.array(WEIGHTS), EPSILON, share, before, sizes, first, last)


def _choice_encloses(place: tuple[int, int]) -> bool:
    i, k = place
    half = MP.exp(-MP.number(EPSILON) / 2)
    weights = [MP.number(Fraction(weight)) for weight in WEIGHTS]
    tree = QuantileTree(CANDIDATES, weights, [Fraction(1, 3)], half, MP)
    law = tree.draw(EARNED, Fraction(1, 3), ((0, 3), (1, 2))[i])
    with enclosing(BITS):
        low, high = _draws(1).cumulative(i, k)
        below = sum((law[j] for j in range(k + 1) if j in law), MP.number(0))
        return _is_around(low, high, below)


def _choice_is_the_fast_one(options: tuple[int, float]) -> bool:
    choice, (seen, slack) = _draws(100).choice(), options
    fast = choose(choice, Bits.seeded(SEED))
    slow = choose(choice, Bits.seeded(SEED), seen, slack)
    return np.array_equal(fast.values, slow.values) and fast.escalated < slow.escalated


def _numbers() -> Iterator[tuple[str, Reals, tuple[Fraction, ...]]]:
    """Numbers made in every way, and what they are."""
    whole, dyadic = (3, -7), (Fraction(21, 8), Fraction(-5, 16))
    third = Fraction(7, 3)
    x, y, z = Reals.integers(np.array(whole)), _floats(dyadic, 1), Reals.fraction(third)
    w = Reals.per_cell(lambda i: ARB.number(dyadic[i]) / 3, 2)
    both = tuple(zip(whole, dyadic, strict=True))
    yield "integers", x, tuple(map(Fraction, whole))
    yield "floats", y, dyadic
    yield "a fraction", z, (third, third)
    yield "per cell", w, tuple(value / 3 for value in dyadic)
    yield "a product", x.times(y), tuple(a * b for a, b in both)
    yield "a sum", x.plus(y), tuple(a + b for a, b in both)
    yield "a product with one number", y.times(z), tuple(b * third for b in dyadic)
    yield "a sum with one number", z.plus(y), tuple(b + third for b in dyadic)
    yield "in units", w.scaled(3), tuple(8 * value / 3 for value in dyadic)
    yield "at least", y.times(z).at_least(1), tuple(max(b * third, Fraction(1)) for b in dyadic)
    yield (
        "beyond 2^53",
        Reals.integers(np.array([2**60 + 1, -(2**60)])),
        (Fraction(2**60 + 1), Fraction(-(2**60))),
    )


def _is_known_exactly(case: tuple[str, Reals, tuple[Fraction, ...]]) -> bool:
    """Whether balls hold the true numbers, and floats are within their errors, which are small."""
    _, numbers, true = case
    for i, value in enumerate(true):
        with enclosing(BITS):
            ball, exact = numbers.exact(i), ARB.number(value)
            held = ball.overlaps(exact) and bool(
                ball.rad() < abs(exact) * flint.arb(2) ** -150 + flint.arb(2) ** -200
            )
        at = i if numbers.approximate.ndim else 0
        middle = Fraction(float(numbers.approximate.reshape(-1)[at]))
        error = Fraction(float(numbers.error.reshape(-1)[at if numbers.error.ndim else 0]))
        if not (
            held and abs(middle - value) <= error <= abs(value) * Fraction(1, 2**48) + Fraction(1, 2**900)
        ):
            return False
    return True


@cache
def exact_way() -> tuple[Evidence, ...]:
    """Evidence that the exact way draws the laws of the specification; computed once."""
    cases = list(_cases())
    geometric = len(cases) - 1
    cells = [(case, i) for k, case in enumerate(cases) for i in ((0,) if k == geometric else (0, 1))]
    samplers = f"{', '.join(case.name for case in cases)}, two cells each"
    return (
        exhaustive.for_all(
            ((case, i, k) for case, i in cells for k in range(-30, 61, 3)),
            _encloses,
            "the exact way reads the distribution functions of the specification",
            f"{samplers}, from −30 to 60 grid units",
        ),
        exhaustive.for_all(
            ((case, i, w, guess) for case, i in cells for w in WORDS for guess in (0, -900, 77)),
            _is_the_quantile,
            "the exact way finds the output whose distribution function first reaches p",
            f"{samplers}, {len(WORDS)} words and three guesses",
        ),
        exhaustive.for_all(
            _cases(50),
            _is_the_fast_one,
            "the exact way gives the outputs of the fast way from the same bits",
            f"{samplers}, 50 draws of each",
        ),
        exhaustive.for_all(
            _long(),
            _is_the_careful_one,
            "the first try for long arrays gives the outputs of the careful way from the same bits",
            f"{', '.join(name for name, _ in _long())}, {CHUNK} draws of each",
        ),
        exhaustive.for_all(
            product((0, 1), range(-1, 5)),
            _choice_encloses,
            "the exact way to a choice reads the law of the specification",
            "a third of five records among four candidates, and among the middle two",
        ),
        exhaustive.for_all(
            ((64, 1.0), (4, 0.0)),
            _choice_is_the_fast_one,
            "the exact way to a choice gives the choices of the fast way from the same bits",
            "100 draws of each of two cells",
        ),
        exhaustive.for_all(
            _numbers(),
            _is_known_exactly,
            "numbers that are known exactly are their floats within the error",
            "two cells, every way to make and combine them",
        ),
    )
