"""Outputs against the ideal quantile in high precision, at planted words: the fast and the exact way.

The expectation is written here anew: p has the binary expansion of the word and of what extends it, the
output is center + scale·F⁻¹(p) rounded to the nearest multiple of the grid.
"""

from collections.abc import Callable
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from establish.impl.sampling import laws
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.grid import Grid
from establish.impl.sampling.reals import Reals
from establish.impl.sampling.rounding import draw
from establish.impl.sampling.sampler import Sampler

mp = mpmath.MPContext()
mp.dps = 90

wide = mpmath.MPContext()
wide.dps = 700  # so many digits that center + scale·z is exact for the tiniest scale

Quantile = Callable[[mpmath.mpf], mpmath.mpf]
"""F⁻¹ of U ≤ 1/2, a lower tail."""


def laplace(p: mpmath.mpf) -> mpmath.mpf:
    return mp.log(2 * p)


def gaussian(p: mpmath.mpf) -> mpmath.mpf:
    """Newton's steps on Φ from a bracketing start: Φ(−39) < 2^−256."""
    return _invert(lambda z: mp.erfc(-z / mp.sqrt(2)) / 2, p)


def heavy_tailed(p: mpmath.mpf) -> mpmath.mpf:
    """The distribution function by partial fractions of 1 + t⁴ = (t²+√2t+1)(t²−√2t+1)."""
    r = mp.sqrt(2)

    def cdf(z: mpmath.mpf) -> mpmath.mpf:
        logs = mp.log((z * z + r * z + 1) / (z * z - r * z + 1))
        return 0.5 + (logs / 2 + mp.atan(r * z + 1) + mp.atan(r * z - 1)) / (2 * mp.pi)

    return _invert(cdf, p)


def _invert(cdf: Quantile, p: mpmath.mpf) -> mpmath.mpf:
    """Bisection of (0, 2^30) for −z, to 220 bits after the point."""
    low, high = mp.mpf(0), mp.mpf(2) ** 30
    for _ in range(250):
        middle = (low + high) / 2
        low, high = (middle, high) if cdf(-middle) > p else (low, middle)
    return -low


def standard(quantile: Quantile, word: int, after: int) -> mpmath.mpf:
    """F⁻¹ of the p that a word and three times ``after`` write, for a law symmetric around 0."""
    p = mp.mpf(word) + sum(mp.mpf(after) / mp.mpf(2) ** (64 * k) for k in (1, 2, 3))
    p /= mp.mpf(2) ** 64
    return quantile(p) if p < 0.5 else -quantile(1 - p)


def nearest(x: mpmath.mpf, exponent: int) -> float:
    """In grid units, moved into ±2^52."""
    units = wide.floor(x / wide.mpf(2) ** exponent + wide.mpf(1) / 2)
    return float(min(max(units, -(2**52)), 2**52))


def moved(center: float, scale: float, z: mpmath.mpf) -> mpmath.mpf:
    """center + scale·z."""
    return wide.mpf(center) + wide.mpf(scale) * wide.mpf(z)


HALF, WHOLE = 2**63, 2**64
EDGES = [
    place
    for power in (30, 31, 40, 55, 61, 62)
    for place in (2**power - 1, 2**power, 2**power + 1, WHOLE - 2**power, HALF - 2**power)
]
WORDS = [1, 2, 3, 5, 2**29 - 1, 2**29, HALF - 1, HALF, HALF + 1, WHOLE - 2, WHOLE - 1, *EDGES]
WORDS += Bits.seeded(4).words(24).tolist()
"""Near U = 0 and 1, around the sign, at the ends of octaves, and anywhere."""

AFTER = 0x9E37_79B9_7F4A_7C15


@pytest.fixture
def both_ways(planted) -> Callable[[Sampler, list[float]], None]:
    """Requires the outputs at WORDS, of the fast way and of the exact one."""

    def required(sampler: Sampler, expected: list[float]) -> None:
        slow = draw(sampler, planted(WORDS, AFTER), slack=np.inf)
        assert draw(sampler, planted(WORDS, AFTER)).values.tolist() == expected
        assert slow.values.tolist() == expected
        assert slow.escalated == len(WORDS)

    return required


CENTERS_AND_SCALES = [
    (0.0, 1.0, 0),
    (0.5, 3.0, 0),
    (-7.25, 1e-3, -12),
    (1234567.0, 2.5e5, 0),
    (3.0, 1e-300, 0),
    (2.5, 5e-324, 0),
    (-1e-310, 0.3, -40),
    (1e9, 4e9, -10),
    (6.0, 0.7, 3),
    (0.0, 1e-140, -500),
]

SAMPLERS = {
    "laplace": (laws.laplace_sampler, laplace),
    "gaussian": (laws.gaussian_sampler, gaussian),
    "heavy-tailed": (laws.heavy_tailed_sampler, heavy_tailed),
}


@pytest.mark.few(1)
@pytest.mark.parametrize("name", SAMPLERS)
def test_both_ways_give_the_rounded_quantile(both_ways, name):
    build, quantile = SAMPLERS[name]
    ideal = [standard(quantile, word, AFTER) for word in WORDS]
    for center, scale, exponent in CENTERS_AND_SCALES:
        cells = Reals.floats(np.full(len(WORDS), center))
        sampler = build(cells, Reals.floats(scale), Grid(exponent))
        expected = [nearest(moved(center, scale, z), exponent) for z in ideal]
        both_ways(sampler, expected)


@pytest.mark.parametrize("scale", [1e-3, 0.4, 3.0])
def test_log_laplace_outputs_are_the_rounded_quantiles(both_ways, scale):
    for n, gamma, exponent in [(0, Fraction(10), 0), (10**6, Fraction(10, 3), 0), (7, Fraction(1, 2), -20)]:
        cells = Reals.integers(np.full(len(WORDS), n))
        shift = wide.mpf(gamma.numerator) / gamma.denominator
        sampler = laws.log_laplace_sampler(cells, Reals.fraction(gamma), Reals.floats(scale), Grid(exponent))
        expected = [
            nearest((n + shift) * mp.exp(scale * standard(laplace, word, AFTER)) - shift, exponent)
            for word in WORDS
        ]
        both_ways(sampler, expected)


@pytest.mark.few(1)
@pytest.mark.parametrize("spread", [1e-3, 0.4, 3.0])
def test_lomax_outputs_are_the_rounded_quantiles(both_ways, spread):
    for center, scale, exponent in CENTERS_AND_SCALES:
        cells = Reals.floats(np.full(len(WORDS), center))
        sampler = laws.lomax_sampler(cells, Reals.floats(scale), Reals.floats(spread), Grid(exponent))
        expected = []
        for word in WORDS:
            η = standard(laplace, word, AFTER)
            z = mp.sign(η) * mp.expm1(spread * abs(η))
            expected.append(nearest(moved(center, scale, z), exponent))
        both_ways(sampler, expected)


@pytest.mark.parametrize("epsilon", [Fraction(1, 1000), Fraction(1, 3), Fraction(2), Fraction(50)])
def test_two_sided_geometric_outputs_are_the_quantiles(both_ways, epsilon):
    """For p < 1/2, P(K ≤ −j) = ρ^j/(1+ρ) ≥ p exactly when j ≤ ln(p(1+ρ))/ln ρ: K = −⌊that⌋."""
    log_ratio = -mp.mpf(epsilon.numerator) / epsilon.denominator
    ratio = mp.exp(log_ratio)

    def expected(word: int) -> float:
        p = (mp.mpf(word) + mp.mpf(AFTER) / WHOLE) / WHOLE
        tail = min(p, 1 - p)
        size = max(mp.mpf(0), mp.floor(mp.log(tail * (1 + ratio)) / log_ratio))
        return float(-size if p < 0.5 else size)

    sampler = laws.two_sided_geometric_sampler(epsilon, len(WORDS))
    both_ways(sampler, [expected(word) for word in WORDS])


def boundary_centers(quantile: Quantile, word: int, scale: float) -> list[float]:
    """Floats next to the center that puts the output in the middle between two integers."""
    near = float(mp.mpf("2.5") - mp.mpf(scale) * standard(quantile, word, AFTER))
    return [near, float(np.nextafter(near, -np.inf)), float(np.nextafter(near, np.inf))]


@pytest.mark.few(1)
@pytest.mark.parametrize("name", SAMPLERS)
def test_outputs_next_to_a_rounding_boundary_are_decided_the_exact_way(planted, name):
    build, quantile = SAMPLERS[name]
    scale, words = 0.75, [w for w in WORDS if 2**40 < w % HALF < HALF - 2**40][-12:]
    escalated = 0
    for word in words:
        centers = boundary_centers(quantile, word, scale)
        sampler = build(Reals.floats(centers), Reals.floats(scale), Grid.INTEGERS)
        got = draw(sampler, planted([word] * 3, AFTER))
        z = standard(quantile, word, AFTER)
        assert got.values.tolist() == [nearest(moved(c, scale, z), 0) for c in centers]
        escalated += got.escalated
    assert escalated == 3 * len(words)


def test_the_bits_that_extend_a_word_decide_when_it_cannot(planted):
    """With scale 2^70 a unit of the last bit of U moves the output by about 2^7 / U."""
    word, scale = 2**62 + 12345, 2.0**70
    center = float(-mp.mpf(scale) * standard(laplace, word, 2**63))
    outputs = set()
    for after in (0, 2**62, 2**63, WHOLE - 1):
        z = standard(laplace, word, after)
        got = draw(
            laws.laplace_sampler(Reals.floats([center]), Reals.floats(scale), Grid.INTEGERS),
            planted([word], after),
        )
        assert got.values.tolist() == [nearest(moved(center, scale, z), 0)]
        assert got.escalated == 1
        outputs.add(got.values[0])
    assert len(outputs) == 4


def samplers_for_narrow_words(size: int) -> list[Sampler]:
    center = Reals.floats(np.linspace(0, 1, size))
    small = Reals.floats(np.linspace(0.01, 0.5, size))
    return [
        *(build(center, small, Grid.INTEGERS) for build, _ in SAMPLERS.values()),
        laws.log_laplace_sampler(center, Reals.integers(1), small, Grid(-1)),
        laws.two_sided_geometric_sampler(Fraction(3), size),
    ]


@pytest.mark.few(2)
@pytest.mark.parametrize("seen", [16, 8, 6, 5, 4, 3, 2, 1])
def test_a_word_of_which_few_bits_are_seen_gives_the_same_outputs(seen):
    """Seeing 1, 2, 3, 4 bits leaves 1, 2, 4, 8 values of U: a mistake in their width shows at once."""
    size, accepted = 1000, 0
    for sampler in samplers_for_narrow_words(size):
        whole = draw(sampler, Bits.seeded(seen))
        narrow = draw(sampler, Bits.seeded(seen), seen=seen)
        assert narrow.values.tolist() == whole.values.tolist()
        accepted += size - narrow.escalated
    assert (accepted > 0) == (seen > 1), "with one bit U may be anything, with more some are sure"
