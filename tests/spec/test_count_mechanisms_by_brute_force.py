"""Losses of the mechanisms of our own by brute force, in Arb, over pairs of neighboring cells in both
directions.

The outputs are where the loss of such laws can be extreme: both counts, around each, and far away. This
shares no argument with the claims.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import chain
from random import Random

import pytest

from establish.spec.arithmetic import ARB, enclosing
from establish.spec.mechanisms import growth_staircase, smooth_staircase
from establish.spec.mechanisms.growth_laplace import GrowthLaplaceMechanism
from establish.spec.mechanisms.smooth_lomax import SmoothLomaxMechanism
from establish.spec.mechanisms.smooth_path import SmoothPathMechanism
from establish.spec.relations.growth import largest_growth_real

Cell = tuple[Fraction, ...]
Pair = tuple[Cell, Cell]


def small_cells(alpha: Fraction, most: int = 24) -> Iterator[Pair]:
    """Every growth of one establishment of whole size up to ``most``, alone and beside others."""
    for x in range(most + 1):
        for grown in range(1, int(largest_growth_real(x, alpha)) + 1):
            for others in ((), (1,), (most,), (3, 11)):
                yield ((Fraction(x), *map(Fraction, others)), (Fraction(x + grown), *map(Fraction, others)))


def real_cells(alpha: Fraction, count: int, seed: int) -> Iterator[Pair]:
    """``count`` cells of one to four establishments of real size, one of which grows; half of them as much as
    it may, some with an empty establishment, or sizes around 1/α.
    """
    draws = Random(seed)
    for _ in range(count):
        near = [Fraction(0), 1 / alpha, 1 / alpha - draws.randint(0, 3)]
        sizes = [
            draws.choice(near) if draws.random() < 0.3 else Fraction(draws.randint(0, 10**6), 9973)
            for _ in range(draws.randint(1, 4))
        ]
        sizes = [max(size, Fraction(0)) for size in sizes]
        share = Fraction(1) if draws.random() < 0.5 else Fraction(draws.randint(1, 1000), 1000)
        more = share * largest_growth_real(sizes[0], alpha)
        yield tuple(sizes), (sizes[0] + more, *sizes[1:])


CASES = [("1/10", "2"), ("1/10", "1"), ("1/20", "1"), ("1/100", "1/4"), ("1/5", "4"), ("1/2", "3/2")]
MECHANISMS = {
    "smooth-lomax": SmoothLomaxMechanism,
    "smooth-path": SmoothPathMechanism,
    "smooth-staircase": smooth_staircase.SmoothStaircaseMechanism,
    "smooth-staircase-unbiased": smooth_staircase.UnbiasedSmoothStaircaseMechanism,
    "growth-laplace": GrowthLaplaceMechanism,
    "growth-staircase": growth_staircase.GrowthStaircaseMechanism,
    "growth-staircase-unbiased": growth_staircase.UnbiasedGrowthStaircaseMechanism,
}
FAR = (Fraction(10**12), Fraction(-(10**12)))


def outputs(cell: Cell, grown: Cell) -> list[Fraction]:
    counts = (sum(cell, Fraction(0)), sum(grown, Fraction(0)))
    near = (count + step for count in counts for step in (0, Fraction(1, 3), Fraction(-1, 3), 40, -40))
    return [*near, *FAR]


def worst_loss(law: Callable[[Cell], object], cells: list[tuple[Cell, Cell]], level: Fraction) -> float:
    """The largest loss that is found, in units of the level; fails where one is certainly above it."""
    worst = 0.0
    for cell, grown in cells:
        before, after = law(cell), law(grown)
        for o in outputs(cell, grown):
            loss = abs(before.log_density(o) - after.log_density(o))  # type: ignore[attr-defined]
            assert not loss > ARB.number(level), (cell, grown, o)
            worst = max(worst, float(loss.mid()) / float(level))
    return worst


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("alpha", "epsilon", "drawn"),
    [
        *((*case, 20) for case in CASES[:2]),
        *(pytest.param(*case, 100, marks=pytest.mark.small_campaign) for case in CASES),
        *(pytest.param(*case, 1000, marks=pytest.mark.campaign) for case in CASES),
    ],
)
@pytest.mark.parametrize("name", MECHANISMS)
def test_no_pair_of_cells_loses_more_and_some_pair_loses_all(name, alpha, epsilon, drawn):
    mechanism, α = MECHANISMS[name](alpha, epsilon), Fraction(alpha)
    cells = list(chain(small_cells(α), real_cells(α, drawn, seed=15)))
    with enclosing(128):
        worst = worst_loss(lambda cell: mechanism.output(cell, ARB), cells, Fraction(epsilon))
    assert worst > 1 - 1e-8


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_level_a_little_lower_is_refuted(name):
    mechanism, α = MECHANISMS[name]("1/10", 2), Fraction(1, 10)
    cells = list(small_cells(α))
    with enclosing(128), pytest.raises(AssertionError):
        worst_loss(lambda cell: mechanism.output(cell, ARB), cells, Fraction(199, 100))
