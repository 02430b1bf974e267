"""Drawn places against the exact law in high precision, at planted words: the fast and the exact way.

The expectation is written here anew: p has the binary expansion of the word and of what extends it, and the
output is the least j with p·C ≤ C_j, C_j the sum of w·e^(−κ·m) up to j.
"""

from bisect import bisect_left
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate

import mpmath
import numpy as np
import pytest

from establish.impl.earnings.quantile_tree import Candidates, Draw
from establish.impl.sampling import choice as choices
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.choice import Choice, choose, doubt
from establish.spec.parameters import ParameterError

mp = mpmath.MPContext()
mp.dps = 400

AFTER = 0x9E37_79B9_7F4A_7C15
WHOLE = 2**64


def drawing(
    below: list[int],
    size: int,
    weights: list[float],
    share: Fraction = Fraction(3, 4),
    epsilon: Fraction = Fraction(1, 3),
    before: int = 0,
    ends: tuple[int, int] | None = None,
    cells: int = 1,
) -> Draw:
    """The same draw in every cell."""
    first, last = ends or (0, len(below) - 1)
    rows = [np.full(cells, value, np.int64) for value in (before, size, first, last)]
    table = np.tile(np.array(below, np.int64), (cells, 1))
    return Draw(table, np.array(weights), epsilon, share, *rows)


def sums(draw: Draw) -> list[mpmath.mpf]:
    """C_j/C of the first cell, one per candidate: u = |#{e < y} − p·n|/max(p, 1−p)."""
    p, first, last = draw.share, int(draw.first[0]), int(draw.last[0])
    masses = []
    for j, weight in enumerate(draw.weights.tolist()):
        rank = int(draw.below[0, j]) - int(draw.before[0])
        exponent = draw.epsilon * (abs(rank - p * int(draw.sizes[0])) / max(p, 1 - p)) / 2
        mass = mp.exp(-mp.mpf(exponent.numerator) / exponent.denominator)
        masses.append(weight * mass if first <= j <= last else mp.mpf(0))
    through = list(accumulate(masses))
    return [mass / through[-1] for mass in through]


def expected(words: list[int], after: int, bounds: list[mpmath.mpf]) -> list[int]:
    tail = sum(mp.mpf(after) / mp.mpf(WHOLE) ** k for k in (1, 2, 3, 4))
    ps = [(word + tail) / WHOLE for word in words]
    return [bisect_left(bounds, p) for p in ps]  # the least j with p ≤ bounds[j]


def words_near(bounds: list[mpmath.mpf]) -> list[int]:
    """The ends of all words, the words at every boundary and a few others."""
    steps = [0, *(sign * 2**k for k in (0, *range(8, 15)) for sign in (-1, 1))]
    near = {int(mp.floor(bound * WHOLE)) + step for bound in bounds for step in steps}
    near |= {0, 1, 2, WHOLE // 2, WHOLE - 2, WHOLE - 1, *Bits.seeded(5).words(40).tolist()}
    return sorted(word for word in near if 0 <= word < WHOLE)


FEW = [1.0, 2.0, 1.0, 3.0, 0.1]
LONG = "a thousand candidates"
CASES = {
    "quartile": drawing([0, 1, 3, 4, 4], 4, FEW),
    "between drawn ends": drawing([0, 1, 3, 4, 4], 3, FEW, before=1, ends=(1, 3)),
    "no records": drawing([0, 0, 0, 0, 0], 0, FEW),
    "extreme weights": drawing([0, 1, 2, 3, 4], 4, [2.0**-100, 1.0, 2.0**100, 1e-30, 0.7]),
    "far from the share": drawing([0, 0, 10**6, 10**6, 10**6 + 1], 10**6 + 1, FEW),
    "cut off": drawing([0, 599, 600, 601, 900], 900, FEW, Fraction(1, 2), Fraction(1)),
    "one record decides": drawing([0, 1, 3, 4, 4], 4, FEW, epsilon=Fraction(1000)),
    "tiny ε": drawing([0, 1, 3, 4, 4], 4, FEW, epsilon=Fraction(1, 10**6)),
    "odd share": drawing([0, 9, 70, 90, 99], 99, FEW, Fraction(31_415, 92_653)),
    LONG: drawing([j // 3 for j in range(1024)], 400, Candidates.log_normal().weights.tolist()),
}
each = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.small_campaign] * (name == LONG)) for name in CASES]
)


def repeated(draw: Draw, cells: int) -> Draw:
    """The same for ``cells`` cells."""
    rows = {name: np.repeat(getattr(draw, name), cells) for name in ("before", "sizes", "first", "last")}
    return replace(draw, below=np.tile(draw.below, (cells, 1)), **rows)


@pytest.mark.parametrize(
    ("name", "after"),
    [
        pytest.param(name, after, marks=[pytest.mark.small_campaign] * (name == LONG))
        for name in CASES
        for after in (AFTER, 1, WHOLE - 2)
    ],
)
def test_places_are_the_exact_quantiles_next_to_every_boundary(planted, name, after):
    bounds = sums(CASES[name])
    words = words_near(bounds)
    words = words if len(bounds) < 10 else words[:: len(words) // 50]
    drawn = choose(repeated(CASES[name], len(words)).choice(), planted(words, after))
    assert drawn.values.tolist() == expected(words, after, bounds)
    assert drawn.escalated > 0, "words at a boundary are left to the exact way"


@each
def test_the_exact_way_gives_the_same_places(planted, name):
    bounds = sums(CASES[name])
    words = words_near(bounds)[:: 1 if len(bounds) < 10 else 1000]
    slow = choose(repeated(CASES[name], len(words)).choice(), planted(words), slack=np.inf)
    assert slow.values.tolist() == expected(words, AFTER, bounds)
    assert slow.escalated == len(words)


def many_laws(cells: int) -> Draw:
    """A law of its own for every cell, over five candidates."""
    below = np.sort(np.random.default_rng(12).integers(0, 21, (cells, 5)), axis=1)
    first, last = np.zeros(cells, np.int64), np.full(cells, 4)
    sizes = np.full(cells, 20)
    return Draw(below, np.array(FEW), Fraction(1), Fraction(1, 2), first, sizes, first, last)


@pytest.mark.few(2)
@pytest.mark.parametrize("seen", [10, 6, 4, 3, 2, 1])
def test_a_word_of_which_few_bits_are_seen_gives_the_same_places(seen):
    """Seeing 1, 2, 3 bits leaves 2, 4, 8 intervals for p: a mistake in their width shows at once."""
    draw = many_laws(3000)
    whole = choose(draw.choice(), Bits.seeded(1))
    narrow = choose(draw.choice(), Bits.seeded(1), seen=seen)
    assert narrow.values.tolist() == whole.values.tolist()
    assert whole.escalated == 0
    assert 0 < narrow.escalated < 3000


def test_the_places_do_not_depend_on_how_cells_are_grouped():
    cells = 100
    draw = repeated(CASES["a thousand candidates"], cells)
    whole = choose(draw.choice(), Bits.seeded(3)).values
    bits = Bits.seeded(3)
    parts = []
    for rows in np.split(np.arange(cells), [7, 23, 60]):
        part = {name: getattr(draw, name)[rows] for name in ("before", "sizes", "first", "last")}
        parts.append(choose(replace(draw, below=draw.below[rows], **part).choice(), bits).values)
    assert whole.tolist() == np.concatenate(parts).tolist()


@each
def test_the_computed_sums_keep_the_stated_error(name):
    computed = CASES[name].choice().cumulative(slice(0, 1), choices.Workspace())[0]
    for value, bound in zip(computed.tolist(), sums(CASES[name]), strict=True):
        error = abs(mp.mpf(value) / mp.mpf(computed[-1]) - bound)
        assert error <= 2.02 * choices.relative_error(len(computed))


def test_what_the_error_bound_does_not_cover_is_refused():
    for weights, message in (
        ([], "candidates"),
        ([1.0] * (2**14 + 1), "candidates"),
        ([1.0, 0.0], "weights must lie"),
        ([1.0, 2.0**-101], "weights must lie"),
        ([2.0**101, 1.0], "weights must lie"),
        ([1.0, float("nan")], "weights must lie"),
    ):
        with pytest.raises(ParameterError, match=message):
            drawing([0] * len(weights), 0, weights, ends=(0, len(weights) - 1)).choice()
    with pytest.raises(ParameterError, match="too many records") as refused:
        drawing([0, 2**51], 2**51, [1.0, 1.0]).choice()
    assert str(2**51) not in str(refused.value)


def test_no_cells_give_no_places():
    choice: Choice = drawing([0, 1], 1, [1.0, 1.0], cells=0).choice()
    assert choose(choice, Bits.seeded(0)).values.size == 0


@pytest.mark.parametrize("width", [1, 2, 1024, 2**14])
@pytest.mark.parametrize("seen", [8, 20, 64])
def test_the_margin_covers_all_errors_that_it_is_made_of(width, seen):
    """In exact fractions: both sums are off by η, q by u and what is hidden, the product by u more."""
    u = Fraction(1, 2**53)
    both_sums = 2 * Fraction(101, 100) * (700 + Fraction(11, 10) * width) * u
    assert Fraction(doubt(width, seen)) > both_sums + 2 * u + Fraction(1, 2**seen)
