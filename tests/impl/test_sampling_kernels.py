"""The float kernels against Arb: at the ends and the middle of every piece, and over all of e^x."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import flint
import numpy as np
import pytest

from establish.impl.arrays import Floats
from establish.impl.sampling import laws, tables
from establish.impl.sampling.certified import require_certified
from establish.impl.sampling.exponential import ERROR, LARGEST, exponential
from establish.impl.sampling.grid import Grid
from establish.impl.sampling.quantile_table import FLOOR, QuantileTable
from establish.impl.sampling.reals import Reals
from establish.impl.sampling.sampler import Sampler
from establish.impl.sampling.spreading import Spreading
from establish.impl.sampling.workspace import CHUNK, Workspace
from establish.spec import growth_scale
from establish.spec.arithmetic import ARB, MP, enclosing
from establish.spec.distributions import gaussian, heavy_tailed, staircase
from establish.spec.distributions.two_sided import TwoSided
from establish.spec.mechanisms.growth_staircase import UnbiasedGrowthStaircaseMechanism
from establish.spec.mechanisms.smooth_path import SmoothPathMechanism
from establish.spec.mechanisms.smooth_staircase import SmoothStaircaseMechanism

TABLES = {
    "laplace": (tables.laplace, lambda z: (-z).exp()),
    "gaussian": (tables.gaussian, lambda z: 2 * gaussian.cdf(-z, ARB)),
    "heavy-tailed": (tables.heavy_tailed, lambda z: 2 * (1 - heavy_tailed.cdf(z, 4, ARB))),
}
"""Each table, and P(|η| > z)."""


def places(piece_bits: int) -> Floats:
    """Both ends and the middle of every piece as floats, from FLOOR to 2^63 and the one beyond."""
    steps = np.arange(2**piece_bits) / 2**piece_bits
    starts = np.concatenate([2.0**k * (1 + steps) for k in range(29, 63)])
    width = 2.0 ** np.floor(np.log2(starts)) / 2**piece_bits
    ends = np.nextafter(starts + width, 0)
    return np.concatenate([starts, starts + width / 2, ends, [2.0**63]])


def computed(table: QuantileTable, a: Floats, unit: float) -> tuple[Floats, Floats]:
    work, q, b = Workspace(), [], []
    for part in np.split(a, range(CHUNK, a.size, CHUNK)):
        work.size = part.size
        quantile = table.quantile(part, work)
        b.append(table.bound(part, quantile, unit, work).copy())
        q.append(quantile.copy())
    return np.concatenate(q), np.concatenate(b)


def outside(tail: Callable[[flint.arb], flint.arb], a: Floats, q: Floats, b: Floats) -> list[float]:
    """The a at which the quantile is not certainly within q ± b."""
    wrong = []
    with enclosing(192):
        for x, z, error in zip(a.tolist(), q.tolist(), b.tolist(), strict=True):
            u, low, high = flint.arb(x) / 2**63, flint.arb(z) - error, flint.arb(z) + error
            if not tail(high) < u < tail(low):
                wrong.append(x)
    return wrong


@pytest.mark.small_campaign
@pytest.mark.parametrize("name", TABLES)
def test_the_quantile_is_within_its_bound_at_the_ends_of_every_piece(name):
    table, tail = TABLES[name][0](), TABLES[name][1]
    a = places(table.piece_bits)
    assert a.min() == FLOOR
    q, b = computed(table, a, 0.0)
    assert outside(tail, a, q, b) == []
    assert b.max() <= 1e-14 + 4e-14 * q.max(), "a wide bound would prove nothing"
    assert outside(tail, a, q + 3 * b, b) == a.tolist()


@pytest.mark.few(5)
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("unit", [1.0, 2.0**30, 2.0**60, 2.0**61])
def test_the_bound_covers_a_whole_unit_on_both_sides(name, unit):
    table, tail = TABLES[name][0](), TABLES[name][1]
    a = places(table.piece_bits)[:: 7 if unit == 1 else 3]
    a = a[a >= max(FLOOR, 2 * unit)]
    assert a.size > 10
    q, b = computed(table, a, unit)
    for end in (a - unit, np.minimum(a + unit, 2.0**63)):
        assert outside(tail, end, q, b) == []


def test_the_bound_is_no_more_than_what_a_unit_needs():
    """At a = 2 units the quantile of the Laplace law moves by ln 2 within one, and the bound is 1."""
    _, b = computed(tables.laplace(), np.array([2.0**61]), 2.0**60)
    assert 1 <= b[0] < 1 + 1e-11


def test_the_exponential_is_within_its_error():
    rng = np.random.default_rng(1)
    corners = np.log(2) / 128 * np.arange(-2000, 2001)
    x = np.concatenate(
        [
            [0.0, -0.0, 5e-324, -5e-324, 1e-300, 2.0**-54, LARGEST, -LARGEST],
            corners,
            np.nextafter(corners, np.inf),
            rng.uniform(-LARGEST, LARGEST, 3000),
            rng.uniform(-1, 1, 3000),
        ]
    )
    work = Workspace()
    work.size = x.size
    worst = 0.0
    values = exponential(x, work).tolist()
    with enclosing(192):
        for value, argument in zip(values, x.tolist(), strict=True):
            worst = max(worst, float(abs(flint.arb(value) / flint.arb(argument).exp() - 1).upper()))
    assert ERROR / 4 < worst <= ERROR


Ideal = Callable[[int, flint.arb], flint.arb]
"""The exact output of cell i in grid units, of a signed uniform on (−1, 1)."""


def outputs_at(sampler: Sampler, ideal: Ideal, words: Floats) -> list[tuple[float, float]]:
    """For each word, how far the float output is from the ideal one at both ends of the word's unit, and
    the bound that is claimed."""
    work = Workspace()
    work.size = words.size
    t, bound = sampler.evaluate(slice(0, words.size), words, np.abs(words), 1.0, work)
    found = []
    with enclosing(300):
        for i, (word, value, claimed) in enumerate(zip(words, t, bound, strict=True)):
            off = [
                abs(ideal(i, (flint.arb(float(word)) + end) / 2**63) - flint.arb(float(value)))
                for end in (-1, 1)
            ]
            found.append((max(float(x.upper()) for x in off), float(claimed)))
    return found


WORDS = np.concatenate(
    [sign * np.array([2.0**k * x for k in range(32, 63) for x in (1, 1.37, 1.99)]) for sign in (1, -1)]
)
CELLS = WORDS.size


def require_covered(sampler: Sampler, ideal: Ideal, near: float = 30) -> None:
    """The bounds hold at all WORDS, and somewhere no more than ``near`` times what is needed."""
    found = outputs_at(sampler, ideal, WORDS)
    assert all(off <= bound for off, bound in found)
    assert any(off >= bound / near for off, bound in found), "a bound so wide would prove nothing"


def with_steps(epsilon: Fraction) -> float:
    """How near the bound of a law with steps comes: it has a factor e^ε."""
    return max(200, 20 * float(ARB.exp(ARB.number(epsilon)).upper()))


def log_two(factor: float) -> Reals:
    return Reals.constant(lambda: flint.arb(2).log()).times(Reals.floats(np.linspace(1, 2, CELLS) * factor))


def noise(u: flint.arb) -> flint.arb:
    return abs(u).log() * (1 if u > 0 else -1)


@pytest.mark.parametrize("center", [log_two(1e-3), log_two(1e6), Reals.floats(0.1)])
@pytest.mark.parametrize("scale", [log_two(1e-6), log_two(1), log_two(1e6), Reals.floats(1.7)])
@pytest.mark.parametrize("exponent", [0, -9])
def test_the_bound_of_an_output_holds(center, scale, exponent):
    sampler = laws.laplace_sampler(center, scale.times(Reals.floats(np.ones(CELLS))), Grid(exponent))

    def ideal(i: int, u: flint.arb) -> flint.arb:
        return (center.exact(i) + scale.exact(i) * noise(u)) / flint.arb(2) ** exponent

    require_covered(sampler, ideal)


@pytest.mark.parametrize("count", [log_two(1e-3), log_two(1e6), Reals.floats(0.0)])
@pytest.mark.parametrize("gamma", [Reals.floats(10.0), Reals.constant(lambda: flint.arb.pi())])
@pytest.mark.parametrize("scale", [log_two(1e-6), log_two(0.3), log_two(20)])
def test_the_bound_of_a_log_laplace_output_holds(count, gamma, scale):
    sampler = laws.log_laplace_sampler(count, gamma, scale, Grid(-2))

    def ideal(i: int, u: flint.arb) -> flint.arb:
        start = count.exact(i) + gamma.exact(i)
        return 4 * (start * (scale.exact(i) * noise(u)).exp() - gamma.exact(i))

    require_covered(sampler, ideal)


@pytest.mark.parametrize("center", [log_two(1e-3), log_two(1e6), Reals.floats(0.0)])
@pytest.mark.parametrize("scale", [log_two(1e-2), log_two(1e5), Reals.floats(7.0)])
@pytest.mark.parametrize("share", [1e-6, 0.3, 20])
def test_the_bound_of_a_lomax_output_holds(center, scale, share):
    spread = Reals.constant(lambda: flint.arb(share) * flint.arb(2).log())
    cells = Reals.floats(np.zeros(CELLS))
    sampler = laws.lomax_sampler(center.plus(cells), scale, spread, Grid(-2))

    def ideal(i: int, u: flint.arb) -> flint.arb:
        η = noise(u)
        size = (spread.exact(i) * abs(η)).exp() - 1
        return 4 * (center.exact(i) + scale.exact(i) * η.sgn() * size)

    require_covered(sampler, ideal)


@pytest.mark.few(9)
@pytest.mark.parametrize("alpha", [Fraction(1, 10), Fraction(7, 3), Fraction(1, 1000)])
@pytest.mark.parametrize("epsilon", [Fraction(1, 20), Fraction(2), Fraction(30)])
@pytest.mark.parametrize("count", [0, 7, 10**6])
def test_the_bound_of_an_output_on_the_growth_scale_holds(alpha, epsilon, count):
    sampler = laws.growth_laplace_sampler(np.full(CELLS, float(count)), alpha, epsilon)

    def ideal(i: int, u: flint.arb) -> flint.arb:
        center = growth_scale.scale(Fraction(count), alpha, ARB)
        return growth_scale.inverse(center + noise(u) / ARB.number(epsilon), alpha, ARB)

    require_covered(sampler, ideal, 60)


def stepped(ends: tuple[Fraction, Fraction], epsilon: Fraction, center: flint.arb, u: flint.arb) -> flint.arb:
    """center + W at the quantile ±: noise(u) is −ln U with the sign of the tail."""
    tail, below = (-abs(noise(u))).exp() / 2, bool(noise(u) < 0)
    flat, steps = staircase.height(*ends, epsilon, ARB), staircase.ratio(epsilon, ARB)
    q, k = ARB.exp(ARB.number(-epsilon)), 0
    while tail < flat * steps * q**k:
        k += 1
    distance = ARB.number(ends[0] if below else ends[1]) + k + steps - tail / (flat * q**k)
    return center - distance if below else center + distance


@pytest.mark.few(7)
@pytest.mark.parametrize("ends", [(Fraction(0), Fraction(1, 3)), (Fraction(7, 2), Fraction(2))])
@pytest.mark.parametrize("epsilon", [Fraction(1, 20), Fraction(2), Fraction(30)])
@pytest.mark.parametrize("count", [0, 7, 10**6])
def test_the_bound_of_staircase_noise_on_the_growth_scale_holds(ends, epsilon, count):
    alpha = Fraction(1, 30)
    sampler = laws.growth_staircase_sampler(np.full(CELLS, float(count)), alpha, *ends, epsilon)

    def ideal(i: int, u: flint.arb) -> flint.arb:
        center = growth_scale.scale(Fraction(count), alpha, ARB)
        return growth_scale.inverse(stepped(ends, epsilon, center, u), alpha, ARB)

    require_covered(sampler, ideal, with_steps(epsilon))


@pytest.mark.few(4)
@pytest.mark.parametrize(("alpha", "epsilon"), [("1/10", "2"), ("1/100", "1/4"), ("3/10", "1"), ("1", "12")])
@pytest.mark.parametrize("count", [0, 7, 10**6])
def test_the_bound_of_an_unbiased_output_holds(alpha, epsilon, count):
    specified = UnbiasedGrowthStaircaseMechanism(alpha, epsilon)
    counts = np.full(CELLS, float(count))
    sampler = laws.unbiased_growth_staircase_sampler(counts, specified.outputs(MP))
    ends = specified.down, specified.up

    def ideal(i: int, u: flint.arb) -> flint.arb:
        center = growth_scale.scale(Fraction(count), specified.alpha, ARB)
        return specified.outputs(ARB).value(stepped(ends, specified.epsilon, center, u))

    require_covered(sampler, ideal, with_steps(specified.epsilon))


def two_sided_noise(law: TwoSided, u: flint.arb) -> flint.arb:
    """Z at the quantile ±: u is the tail beyond it, times 2 and with the sign of its side."""
    tail, below = abs(u) / 2 / law.height, bool(u > 0)
    side, other = law.sides if below else law.sides[::-1]
    flat = ARB.number(side.flat)
    distance = side.distance(tail) if tail <= side.mass() else flat + side.mass() - tail
    if distance < -ARB.number(other.flat):
        distance = -other.distance(1 / law.height - tail)
    return -distance if below else distance


@pytest.mark.few(10)
@pytest.mark.parametrize("center", [log_two(1e-3), log_two(1e6), Reals.floats(0.0)])
@pytest.mark.parametrize("scale", [log_two(1e-2), log_two(1e5), Reals.floats(7.0)])
@pytest.mark.parametrize(
    ("kind", "alpha", "epsilon"),
    [
        (SmoothStaircaseMechanism, "1/10", "1"),
        (SmoothStaircaseMechanism, "1/5", "3/5"),
        (SmoothStaircaseMechanism, "3", "30"),
        (SmoothPathMechanism, "1/10", "1"),
        (SmoothPathMechanism, "1/100", "1/4"),
        (SmoothPathMechanism, "1/2", "17/10"),
    ],
)
def test_the_bound_of_two_sided_noise_holds(center, scale, kind, alpha, epsilon):
    law = kind(alpha, epsilon).cell_law(0, 0, ARB)
    cells = Reals.floats(np.zeros(CELLS))
    sampler = laws.two_sided_sampler(center.plus(cells), scale, law, Grid(-2))

    def ideal(i: int, u: flint.arb) -> flint.arb:
        return 4 * (center.exact(i) + scale.exact(i) * two_sided_noise(law, u))

    require_covered(sampler, ideal, with_steps(Fraction(epsilon)))


def next_to(thresholds: Floats, unit: float) -> Floats:
    """Words of that unit on both sides of each threshold, by one and by some units or places."""
    width = np.maximum(unit, np.spacing(thresholds))
    steps = np.array([-300, -2, -1, 0, 1, 2, 300])
    words = np.floor((thresholds[:, None] + steps * width[:, None]) / unit).ravel() * unit
    return words[(words >= max(FLOOR, 2 * unit)) & (words < 2.0**63)]


@pytest.mark.few(8)
@pytest.mark.parametrize("unit", [1.0, 2.0**12, 2.0**48, 2.0**60])
@pytest.mark.parametrize(
    ("kind", "alpha", "epsilon", "ends"),
    [
        (SmoothPathMechanism, "1/10", "1", {}),
        (SmoothPathMechanism, "1/2", "17/10", {}),
        (SmoothPathMechanism, "1/2", "17/10", {"down": Fraction(0), "up": Fraction(1, 100)}),
        (SmoothPathMechanism, "1", "30", {}),
        (SmoothStaircaseMechanism, "9/10", "2", {}),
    ],
)
def test_the_bound_of_two_sided_noise_holds_next_to_the_ends_of_pieces(kind, alpha, epsilon, ends, unit):
    """Wherever the word lies that was seen as a float, and whatever bits are not seen. In one law the median
    lies beyond the flat part.
    """
    law = replace(kind(alpha, epsilon).cell_law(0, 0, ARB), **ends)
    one = Reals.floats(1.0)
    standard = laws.two_sided_sampler(Reals.floats(np.zeros(1)), one, law, Grid.INTEGERS)
    assert isinstance(standard, Spreading)
    words = np.concatenate(
        [next_to(standard.below.thresholds, unit), -next_to(standard.above.thresholds, unit)]
    )
    words = np.append(words, [2.0**63 - max(unit, 1024.0), max(unit, 1024.0) - 2.0**63])
    work, found = Workspace(), []
    work.size = words.size
    t, bound = standard.evaluate(slice(0, words.size), words, np.abs(words), unit, work)
    with enclosing(300):
        for word, value, claimed in zip(words.tolist(), t.tolist(), bound.tolist(), strict=True):
            rounded = np.spacing(abs(word)) / 2 if unit < np.spacing(abs(word)) else 0.0
            for end in (-rounded, rounded + unit):
                z = two_sided_noise(law, (flint.arb(word) + end) / 2**63)
                found.append((abs(z - flint.arb(value)), claimed))
        assert all(off <= claimed for off, claimed in found)
    assert any(off >= claimed * 0.9 for off, claimed in found), "a wider one would prove nothing"


def test_the_bound_covers_what_powers_are_off_by():
    """On hyperbolas of steps that cost much, where nothing else is off by as much."""
    law = SmoothPathMechanism("1/2", 5).cell_law(0, 0, ARB)
    one, work = Reals.floats(1.0), Workspace()
    sampler = laws.two_sided_sampler(Reals.floats(np.zeros(1)), one, law, Grid.INTEGERS)
    assert isinstance(sampler, Spreading)
    curved = np.flatnonzero(sampler.below.bends)
    ends = sampler.below.ends[curved][sampler.below.ends[curved] > 2.0**50]
    words = np.floor(np.outer(ends, np.linspace(1.01, 2, 1500)).ravel())
    work.size = words.size
    t, bound = sampler.evaluate(slice(0, words.size), words, words, 1.0, work)
    with enclosing(300):
        found = [
            float(abs(two_sided_noise(law, (flint.arb(word) + 0.5) / 2**63) - value) / claimed)
            for word, value, claimed in zip(words.tolist(), t.tolist(), bound.tolist(), strict=True)
        ]
    assert 1 / 8 < max(found) <= 1


def off_by_its_error(value: float, share: float) -> Reals:
    """A number whose float is wrong by just what its error admits, ``share`` of it."""
    middle = float((flint.arb(value) * (1 + share)).mid())
    return Reals(np.array(middle), np.array(abs(middle - value)), lambda _: flint.arb(value))


@pytest.mark.parametrize("share", [1e-6, -1e-6, 1e-10])
@pytest.mark.parametrize("wrong", ["center", "scale", "gamma"])
def test_the_bound_covers_the_errors_of_the_parameters(wrong, share):
    def given(name: str, value: float) -> Reals:
        return off_by_its_error(value, share) if name == wrong else Reals.floats(value)

    center, scale, gamma = given("center", 30.0), given("scale", 2.5), given("gamma", 10.0)
    cells = Reals.floats(np.zeros(CELLS))

    def log_laplace(i: int, u: flint.arb) -> flint.arb:
        return 40 * (noise(u) * flint.arb(2.5)).exp() - 10

    cases: list[tuple[Sampler, Ideal]] = [
        (laws.laplace_sampler(center.plus(cells), scale, Grid.INTEGERS), lambda i, u: 30 + noise(u) * 2.5),
        (laws.log_laplace_sampler(center.plus(cells), gamma, scale, Grid.INTEGERS), log_laplace),
    ]
    for sampler, ideal in cases[wrong == "gamma" :]:
        require_covered(sampler, ideal)


def test_constants_that_are_not_the_certified_ones_are_refused():
    table = tables.laplace()
    require_certified("Laplace", table.coefficients)
    first = table.coefficients[0].copy()
    first[5] = np.nextafter(first[5], np.inf)
    with pytest.raises(ArithmeticError, match="Laplace sampler are not the certified ones"):
        require_certified("Laplace", (first, *table.coefficients[1:]))
