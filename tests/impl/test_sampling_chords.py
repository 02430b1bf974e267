"""The lines that settle most draws of long arrays: within their bound, and never another output."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from establish.impl.sampling import chords, laws, rounding
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.chords import OCTAVES, PIECE_BITS, SHRINK, ByChords
from establish.impl.sampling.grid import Grid
from establish.impl.sampling.reals import Reals
from establish.impl.sampling.rounding import draw
from establish.impl.sampling.sampler import Sampler
from establish.impl.sampling.workspace import CHUNK, Workspace
from establish.spec.arithmetic import MP
from establish.spec.mechanisms.growth_staircase import UnbiasedGrowthStaircaseMechanism
from establish.spec.mechanisms.smooth_path import SmoothPathMechanism
from establish.spec.mechanisms.smooth_staircase import SmoothStaircaseMechanism

SIZE = 2 * CHUNK + 300

COUNTS = np.arange(SIZE) * 7919 % 20_011
SCALES = Reals.fraction(Fraction(1, 3)).times(Reals.floats(0.01 + COUNTS[::-1] * 0.7))


def growth(alpha: str, epsilon: str) -> Sampler:
    return laws.growth_laplace_sampler(COUNTS.astype(float), Fraction(alpha), Fraction(epsilon))


def stairs(alpha: str, epsilon: str, down: str, up: str) -> Sampler:
    floats = COUNTS.astype(float)
    ends = Fraction(down), Fraction(up)
    return laws.growth_staircase_sampler(floats, Fraction(alpha), *ends, Fraction(epsilon))


def unbiased(alpha: str, epsilon: str) -> Sampler:
    scale = UnbiasedGrowthStaircaseMechanism(alpha, epsilon).outputs(MP)
    return laws.unbiased_growth_staircase_sampler(COUNTS.astype(float), scale)


def spreading(alpha: str, epsilon: str, kind: type = SmoothStaircaseMechanism) -> Sampler:
    law = kind(alpha, epsilon).cell_law(0, 0)
    return laws.two_sided_sampler(Reals.integers(COUNTS), SCALES, law, Grid.INTEGERS)


def log_laplace(gamma: str, spread: str) -> Sampler:
    share, shift = Reals.fraction(Fraction(spread)), Reals.fraction(Fraction(gamma))
    return laws.log_laplace_sampler(Reals.integers(COUNTS), shift, share, Grid(-1))


def lomax(spread: str) -> Sampler:
    return laws.lomax_sampler(Reals.integers(COUNTS), SCALES, Reals.fraction(Fraction(spread)), Grid.INTEGERS)


SAMPLERS: dict[str, Callable[[], Sampler]] = {
    "laplace": lambda: laws.laplace_sampler(Reals.integers(COUNTS), SCALES, Grid(-3)),
    "laplace, one center": lambda: laws.laplace_sampler(Reals.floats(0.3), SCALES, Grid(2)),
    "gaussian": lambda: laws.gaussian_sampler(Reals.integers(COUNTS), SCALES, Grid.INTEGERS),
    "heavy-tailed": lambda: laws.heavy_tailed_sampler(Reals.integers(COUNTS), SCALES, Grid(1)),
    "log-laplace": lambda: log_laplace("10", "1/5"),
    "log-laplace, wide": lambda: log_laplace("1/7", "3"),
    "lomax": lambda: lomax("2/9"),
    "lomax, wide": lambda: lomax("3"),
    "spreading": lambda: spreading("1/10", "1"),
    "spreading, steep": lambda: spreading("1/5", "4"),
    "spreading, many steps": lambda: spreading("1/1000", "1/100"),
    "path": lambda: spreading("1/10", "1", SmoothPathMechanism),
    "path, many steps": lambda: spreading("1/100", "1/4", SmoothPathMechanism),
    "growth-laplace": lambda: growth("1/10", "2"),
    "growth-laplace, low": lambda: growth("1/3000", "1/20"),
    "growth-laplace, coarse": lambda: growth("7/3", "30"),
    "growth-staircase": lambda: stairs("1/10", "1", "2/5", "1/3"),
    "growth-staircase, far from even": lambda: stairs("1/10", "1/2", "7/2", "0"),
    "unbiased growth-staircase": lambda: unbiased("1/10", "2"),
    "unbiased growth-staircase, low": lambda: unbiased("1/100", "1/4"),
    "two-sided geometric": lambda: laws.two_sided_geometric_sampler(Fraction(1, 50), SIZE),
    "two-sided geometric, narrow": lambda: laws.two_sided_geometric_sampler(Fraction(3), SIZE),
}


class Planted(Bits):
    """Ends of pieces, the middle and both tails come first, with words next to them."""

    def fill(self, words: NDArray[np.uint64]) -> int:
        first = super().fill(words)
        near = np.concatenate([2.0 ** np.arange(49, 63), 1.5 * 2.0 ** np.arange(52, 62)])
        ends = np.concatenate([near, near / SHRINK * 2.0**-62, [2.0**63 - 1024]]).astype(np.int64)
        ends = np.concatenate([ends + k for k in (-600, -1, 0, 1, 600)])
        top = np.array([0, 1, 2**63 - 1, -(2**63), 1 - 2**63, -1, -2], np.int64)
        planted = np.concatenate([ends, -ends, top])
        if not first:
            words[: planted.size] = planted.view(np.uint64)
        return first


@pytest.mark.few(12)
@pytest.mark.parametrize("name", SAMPLERS)
def test_the_first_try_never_changes_an_output(name, monkeypatch):
    sampler = SAMPLERS[name]()
    assert sampler.chords() is not None
    careful = draw(sampler, Planted(bytes(32), is_secret=False))
    monkeypatch.setattr(rounding, "MANY", 1)
    quick = draw(sampler, Planted(bytes(32), is_secret=False))
    assert quick.values.tolist() == careful.values.tolist()
    assert quick.escalated == careful.escalated


@pytest.mark.parametrize(
    "name", ["laplace", "lomax", "spreading", "growth-staircase", "unbiased growth-staircase"]
)
def test_it_settles_most_draws(name):
    first, values, work = SAMPLERS[name]().chords(), np.empty(CHUNK), Workspace()
    assert first is not None
    left = first.settle(slice(0, CHUNK), Bits.seeded(1).words(CHUNK), values, work)
    assert left.size < CHUNK / 10


def test_a_bound_that_is_left_out_changes_outputs():
    """The scales reach 4,000, so that lines off by 5e-7 round otherwise now and then."""
    sampler = SAMPLERS["gaussian"]()
    first = sampler.chords()
    assert isinstance(first, ByChords)
    bold = replace(first, chords=replace(first.chords, error=0.0))
    careful, work, changed = draw(sampler, Bits.seeded(2)).values, Workspace(), 0
    bits = Bits.seeded(2)
    for start in range(0, SIZE - CHUNK, CHUNK):
        cells, values = slice(start, start + CHUNK), np.empty(CHUNK)
        left = bold.settle(cells, bits.words(CHUNK), values, work)
        values[left] = careful[cells][left]
        changed += int((values != careful[cells]).sum())
    assert changed > 0


@pytest.mark.parametrize("name", ["laplace, one center", "gaussian", "heavy-tailed", "lomax"])
def test_the_lines_are_within_their_bound_and_no_wider_than_needed(name):
    """Compared with the careful way at eight places of every piece, on both sides."""
    sampler = SAMPLERS[name]()
    first = sampler.chords()
    assert isinstance(first, ByChords)
    table, worst = first.chords, 0.0
    own = replace(sampler, center=Reals.integers(0), scale=Reals.integers(1))
    for sign in (1, -1):
        for share in np.linspace(0.01, 0.99, 8):
            octave, piece = np.divmod(np.arange(OCTAVES << PIECE_BITS), 1 << PIECE_BITS)
            v = np.ldexp(1 + (piece + share) / (1 << PIECE_BITS), octave - 11)
            v = sign * v[v / SHRINK < 2.0**63]
            place = (v.view(np.int64) >> (52 - PIECE_BITS)).astype(np.int64)
            place = np.where(place < 0, ~place, place) - chords.BEFORE
            line = table.start[place] + table.slope[place] * v
            work = Workspace()
            work.size = v.size
            t, _ = own.evaluate(slice(0, 1), v / SHRINK, np.abs(v / SHRINK), 1.0, work)
            worst = max(worst, float(np.nanmax(np.abs(line - t))))
    assert table.error / 2 < worst <= table.error


@pytest.mark.parametrize("errors", [[1e-12] * 3, [0.0, 0.0, 1e-12], [0.0] * (CHUNK + 2) + [1e-12]])
def test_numbers_that_are_not_all_known_well_have_no_first_try(errors):
    vague = Reals(np.ones(len(errors)), np.array(errors), lambda _: None)  # type: ignore[arg-type, return-value]
    table = laws.laplace_sampler(Reals.integers(0), Reals.integers(1), Grid.INTEGERS).chords()
    assert isinstance(table, ByChords)
    assert chords.by_chords(table.chords, vague, Reals.integers(1)) is None
    assert chords.by_chords(table.chords, Reals.integers(1), vague) is None
