"""An integral that is looked at closely before it refutes anything: its peaks are found first.

A fixed rule misses a peak that is narrow or far away, and loses the tail of a law that falls slowly. On
each side of every cut the variable is therefore the logarithm of the distance to the cut, in which slow tails
fall exponentially; the peaks of the integrand are found by a scan and an ascent, and the range is cut again
where it has fallen from them. An integrand that is 0 but near the peak of a density shows no ascent: where a
density has a narrow peak, the line is cut there first.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from establish.spec.arithmetic import MP

NEAREST, FARTHEST, STEP = -60, 600, 2
"""The logarithms of distances that are scanned."""

FALLS = (1, 6, 20, 45)
"""By how many powers of e the integrand has fallen from a peak where the range is cut again."""

THIRDS, HALVINGS = 50, 30
"""Steps with which a peak and a fall are located."""


def closely(integrand: Callable[[Any], Any], cuts: Sequence[Any]) -> tuple[Any, Any]:
    """(the integral from the first cut to the last, an estimate of its error, which may be infinite)."""
    value, error = MP.mp.mpf(0), MP.mp.mpf(0)
    for end, sign, reach in _half_lines(cuts):
        of_logarithm = _of_logarithm(integrand, end, sign)
        pieces = _pieces(of_logarithm, reach)
        for low, high in pairwise(pieces):
            part, doubt = MP.mp.quad(of_logarithm, [low, high], error=True)
            value, error = value + part, error + doubt
        error += _beyond(of_logarithm, pieces[0], -STEP)
        error += _beyond(of_logarithm, pieces[-1], STEP) if MP.mp.isinf(reach) else 0
    return value, error


def with_peaks(cuts: Sequence[Any], *densities: Callable[[Any], Any]) -> list[Any]:
    """The cuts, and beside them the peak of each density that is narrow as they see it."""
    narrow = (_narrow_peak(density, cuts) for density in densities)
    return sorted({*cuts, *(peak for peak in narrow if peak is not None)})


def _narrow_peak(density: Callable[[Any], Any], cuts: Sequence[Any]) -> Any:
    """Where a density is largest; None where it falls slowly in the logarithm of the distance to a cut."""
    found = (-MP.mp.inf, None)
    for end, sign, reach in _half_lines(cuts):
        f = _of_logarithm(density, end, sign)
        for peak in _peaks(f, _grid(reach)):
            top = _height(f, peak)
            if top > found[0]:
                narrow = all(_height(f, peak + side) < top - 1 for side in (1, -1))
                found = top, (end + sign * MP.mp.exp(peak) if narrow else None)
    return found[1]


def _of_logarithm(f: Callable[[Any], Any], end: Any, sign: int) -> Callable[[Any], Any]:
    """A function over the logarithm of the distance to an end, with the same integral."""
    return lambda u: f(end + sign * MP.mp.exp(u)) * MP.mp.exp(u)


def _beyond(f: Callable[[Any], Any], u: Any, step: int) -> Any:
    """About how much of the integral of |f| lies beyond u, if it goes on falling as it does there."""
    fall = (_height(f, u - step) - _height(f, u)) / STEP
    return abs(f(u)) / fall if fall > 0 else MP.mp.inf if f(u) else MP.mp.mpf(0)


def _half_lines(cuts: Sequence[Any]) -> Iterator[tuple[Any, int, Any]]:
    """(end, direction, how far it reaches) of parts that cover the line between the cuts."""
    mp = MP.mp
    for low, high in pairwise(cuts):
        if mp.isinf(low) and mp.isinf(high):
            yield mp.mpf(0), -1, mp.inf
            yield mp.mpf(0), 1, mp.inf
        elif mp.isinf(high):
            yield low, 1, mp.inf
        elif mp.isinf(low):
            yield high, -1, mp.inf
        else:
            yield low, 1, (high - low) / 2
            yield high, -1, (high - low) / 2


def _grid(reach: Any) -> list[Any]:
    """The logarithms that are scanned."""
    mp = MP.mp
    last = mp.mpf(FARTHEST) if mp.isinf(reach) else mp.log(reach)
    return [u for u in map(mp.mpf, range(NEAREST, FARTHEST, STEP)) if u < last] + [last]


def _peaks(f: Callable[[Any], Any], grid: Sequence[Any]) -> Iterator[Any]:
    """The peaks of |f|."""
    heights = [_height(f, u) for u in grid]
    for i, height in enumerate(heights):
        before, after = max(i - 1, 0), min(i + 1, len(grid) - 1)
        if height != -MP.mp.inf and height >= max(heights[before], heights[after]):
            yield _peak(f, grid[before], grid[after])


def _pieces(f: Callable[[Any], Any], reach: Any) -> list[Any]:
    """Where the range of logarithms is cut: at its peaks, and where it has fallen from them."""
    grid = _grid(reach)
    found = {grid[0], grid[-1]}
    for peak in _peaks(f, grid):
        top = _height(f, peak)
        found.add(peak)
        for fall in FALLS:
            for side in (grid[0], grid[-1]):
                found.add(_fallen(f, peak, side, top - fall))
    return sorted(found)


def _height(f: Callable[[Any], Any], u: Any) -> Any:
    """The logarithm of |f|."""
    size = abs(f(u))
    return MP.mp.log(size) if size else -MP.mp.inf


def _peak(f: Callable[[Any], Any], low: Any, high: Any) -> Any:
    """Where |f| is largest between two points, by ascent."""
    for _ in range(THIRDS):
        third = (high - low) / 3
        if _height(f, low + third) < _height(f, high - third):
            low += third
        else:
            high -= third
    return (low + high) / 2


def _fallen(f: Callable[[Any], Any], peak: Any, side: Any, level: Any) -> Any:
    """A point between the peak and a side at which the logarithm of |f| passes a level; the side if none."""
    if _height(f, side) >= level:
        return side
    above, below = peak, side
    for _ in range(HALVINGS):
        middle = (above + below) / 2
        if _height(f, middle) >= level:
            above = middle
        else:
            below = middle
    return below
