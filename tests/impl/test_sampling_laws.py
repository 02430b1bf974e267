"""The engine and its laws: shapes, refusals, clamps, zeros, and how often a draw is escalated."""

from fractions import Fraction

import flint
import numpy as np
import pytest
from numpy.typing import NDArray

from establish.impl.sampling import laws
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.escalation import quantile
from establish.impl.sampling.grid import Grid
from establish.impl.sampling.quantile_table import OCTAVES
from establish.impl.sampling.reals import Reals
from establish.impl.sampling.rounding import draw
from establish.impl.sampling.sampler import Sampler
from establish.impl.sampling.workspace import CHUNK, Workspace
from establish.spec.mechanisms.smooth_path import SmoothPathMechanism
from establish.spec.mechanisms.smooth_staircase import SmoothStaircaseMechanism
from establish.spec.parameters import ParameterError

SYMMETRIC = {"laplace": laws.laplace, "gaussian": laws.gaussian, "heavy-tailed": laws.heavy_tailed}
LIMIT = 2.0**52
ONE = Reals.floats(1.0)


PATH = SmoothPathMechanism("1/5", 1).cell_law(0, 0)
SPREADING = SmoothStaircaseMechanism("1/5", 1).cell_law(0, 0)


def samplers(center: Reals, scale: Reals, grid: Grid) -> dict[str, Sampler]:
    return {
        "laplace": laws.laplace_sampler(center, scale, grid),
        "gaussian": laws.gaussian_sampler(center, scale, grid),
        "heavy-tailed": laws.heavy_tailed_sampler(center, scale, grid),
        "log-laplace": laws.log_laplace_sampler(center, Reals.fraction(Fraction(9, 7)), scale, grid),
        "lomax": laws.lomax_sampler(center, scale, Reals.fraction(Fraction(2, 9)), grid),
        "path": laws.two_sided_sampler(center, scale, PATH, grid),
        "spreading staircase": laws.two_sided_sampler(center, scale, SPREADING, grid),
        "two-sided geometric": laws.two_sided_geometric_sampler(Fraction(1, 7), 300),
    }


COUNTS = Reals.integers(np.arange(300))
PER_CELL = Reals.floats(np.linspace(0.01, 2, 300))
INEXACT = Reals.constant(lambda: flint.arb(2).log())


@pytest.mark.few(1)
@pytest.mark.parametrize("scale", [PER_CELL, INEXACT, INEXACT.times(PER_CELL)])
@pytest.mark.parametrize("grid", [Grid.INTEGERS, Grid(-20), Grid(4)])
def test_deciding_every_draw_the_exact_way_changes_no_output(scale, grid):
    for name, sampler in samplers(COUNTS, scale, grid).items():
        fast = draw(sampler, Bits.seeded(1))
        slow = draw(sampler, Bits.seeded(1), slack=1.0)
        assert slow.escalated == 300
        assert fast.escalated <= 30, name
        assert fast.values.tolist() == slow.values.tolist(), name


@pytest.mark.parametrize("name", SYMMETRIC)
def test_inexact_centers_are_read_exactly(name):
    center = INEXACT.times(Reals.integers(np.arange(1000)))
    values = SYMMETRIC[name](center, Reals.floats(2.0**-60), Bits.seeded(1))
    assert values.tolist() == np.rint(np.log(2) * np.arange(1000)).tolist()


@pytest.mark.parametrize("draw_law", SYMMETRIC.values(), ids=SYMMETRIC.keys())
def test_the_shape_is_that_of_the_parameters(draw_law):
    three = Reals.floats([1.0, 2.0, 3.0])
    none = Reals.floats([])
    assert draw_law(ONE, ONE, Bits.seeded(0)).shape == ()
    assert draw_law(three, ONE, Bits.seeded(0)).shape == (3,)
    assert draw_law(ONE, three, Bits.seeded(0)).shape == (3,)
    assert draw_law(none, ONE, Bits.seeded(0)).shape == (0,)
    assert draw_law(none, none, Bits.seeded(0)).shape == (0,)
    with pytest.raises(ParameterError, match="center and scale must have one length"):
        draw_law(three, Reals.floats([1.0, 2.0]), Bits.seeded(0))


def test_no_draws_of_the_other_laws():
    assert laws.log_laplace(Reals.integers(np.arange(0)), ONE, ONE, Bits.seeded(0)).shape == (0,)
    integers = laws.two_sided_geometric(Fraction(1), 0, Bits.seeded(0))
    assert (integers.shape, integers.dtype) == ((0,), np.int64)


def test_the_outputs_do_not_depend_on_how_draws_are_grouped():
    center = np.linspace(-5, 5, 2 * CHUNK + 17)
    whole = laws.laplace(Reals.floats(center), ONE, Bits.seeded(2))
    bits = Bits.seeded(2)
    parts = [laws.laplace(Reals.floats(part), ONE, bits) for part in np.split(center, [5, CHUNK])]
    assert whole.tolist() == np.concatenate(parts).tolist()


class DeepTails(Bits):
    """From position CHUNK − 3 on every word is 5: U is about 2^−61, and what extends it matters."""

    def fill(self, words: NDArray[np.uint64]) -> int:
        first = super().fill(words)
        words[max(CHUNK - 3 - first, 0) :] = 5
        return first


def test_what_extends_a_word_depends_on_its_position_alone():
    """With U = (5 + θ)·2^−63 and scale 2^40, θ moves the output by 2^40·ln(6/5)."""
    size, scale = CHUNK + 4, Reals.floats(2.0**40)
    center = np.arange(size) * 2.0**20
    whole = laws.laplace(Reals.floats(center), scale, DeepTails(bytes(32), is_secret=False))
    bits = DeepTails(bytes(32), is_secret=False)
    splits = [CHUNK - 2, CHUNK, CHUNK + 1]
    parts = [laws.laplace(Reals.floats(part), scale, bits) for part in np.split(center, splits)]
    assert whole.tolist() == np.concatenate(parts).tolist()
    noise = (whole - center)[-7:]
    assert len(set(noise.tolist())) == 7
    ends = 2.0**40 * np.log(np.array([5.0, 6.0]) / 2**63)
    assert ((ends[0] <= noise) & (noise <= ends[1])).all()


@pytest.mark.parametrize("exponent", [-512, -30, 0, 5, 512])
def test_outputs_are_multiples_of_the_grid(exponent):
    unit = 2.0**exponent
    scale = Reals.floats(5 * unit)
    for draw_law in SYMMETRIC.values():
        values = draw_law(Reals.floats(np.zeros(200)), scale, Bits.seeded(1), Grid(exponent))
        assert (values / unit == np.rint(values / unit)).all()
        assert len(set(values.tolist())) > 10


def test_no_output_is_a_negative_zero():
    """Its sign would tell on which side of 0 the unrounded output lies."""
    for sampler in samplers(Reals.floats(np.zeros(300)), Reals.floats(0.3), Grid.INTEGERS).values():
        for slack in (0.0, 1.0):
            values = draw(sampler, Bits.seeded(1), slack=slack).values
            assert (values == 0).any()
            assert not np.signbit(values[values == 0]).any()


@pytest.mark.parametrize("draw_law", SYMMETRIC.values(), ids=SYMMETRIC.keys())
@pytest.mark.parametrize("slack", [0.0, 1.0])
def test_outputs_beyond_the_reach_are_moved_to_it(draw_law, slack):
    center = Reals.floats([1e17, -1e17, LIMIT, 0.0, 1e300])
    for scale in (1.0, 1e10, 1e200):
        values = draw_law(center, Reals.floats(scale), Bits.seeded(1))
        assert (np.abs(values) <= LIMIT).all()
    values = draw_law(center, ONE, Bits.seeded(1), Grid(-3))
    assert values[:2].tolist() == [LIMIT / 8, -LIMIT / 8]
    assert draw_law(Reals.floats(np.zeros(40)), Reals.floats(1e200), Bits.seeded(1)).tolist() == [
        np.copysign(LIMIT, v)
        for v in draw_law(Reals.floats(np.zeros(40)), Reals.floats(1e15), Bits.seeded(1))
    ]


def test_two_sided_geometric_outputs_stay_within_the_reach():
    values = laws.two_sided_geometric(Fraction(1, 10**30), 50, Bits.seeded(1))
    assert set(np.abs(values).tolist()) == {2**52}
    assert set(laws.two_sided_geometric(Fraction(10**9), 50, Bits.seeded(1)).tolist()) == {0}


def test_log_laplace_outputs_stay_within_the_reach():
    values = laws.log_laplace(COUNTS, ONE, Reals.floats(1e4), Bits.seeded(1))
    assert set(values.tolist()) <= {LIMIT, -1.0, 0.0}
    assert (values == LIMIT).any()
    assert (values == -1.0).any()


SECRET = 98765.5
"""A value that no message may show."""

BAD = {
    "zero scale": lambda: laws.laplace(ONE, Reals.floats([SECRET, 0.0]), Bits.seeded(0)),
    "negative scale": lambda: laws.gaussian(ONE, Reals.floats([-SECRET]), Bits.seeded(0)),
    "scale not known positive": lambda: laws.heavy_tailed(
        ONE, Reals(np.array(SECRET), np.array(SECRET), lambda _: flint.arb(SECRET)), Bits.seeded(0)
    ),
    "NaN scale": lambda: laws.laplace(ONE, Reals.floats([SECRET, np.nan]), Bits.seeded(0)),
    "infinite center": lambda: laws.laplace(Reals.floats([SECRET, np.inf]), ONE, Bits.seeded(0)),
    "count below −γ": lambda: laws.log_laplace(Reals.floats([-SECRET]), ONE, ONE, Bits.seeded(0)),
    "log-Laplace scale": lambda: laws.log_laplace(ONE, ONE, Reals.floats(-SECRET), Bits.seeded(0)),
    "grid too fine": lambda: laws.laplace(Reals.floats(SECRET * 1e300), ONE, Bits.seeded(0), Grid(-512)),
    "epsilon": lambda: laws.two_sided_geometric(Fraction(0), 3, Bits.seeded(0)),
    "size": lambda: laws.two_sided_geometric(Fraction(1), -3, Bits.seeded(0)),
    "grid": lambda: Grid(513),
}


@pytest.mark.parametrize("act", BAD.values(), ids=BAD.keys())
def test_what_lies_outside_the_domain_is_refused_without_showing_it(act):
    with pytest.raises(ParameterError) as refusal:
        act()
    assert "98765" not in str(refusal.value)


def blurred(value: flint.arb) -> Reals:
    """A number of which nobody knows more than a ball."""
    return Reals(np.array([1.0]), np.array(0.5), lambda _: value)


@pytest.mark.small_campaign
@pytest.mark.parametrize("value", [flint.arb(1, 0.5), flint.arb.nan()])
def test_a_center_that_stays_uncertain_ends_in_an_error(value):
    with pytest.raises(ArithmeticError, match="not known exactly"):
        laws.laplace(blurred(value), Reals.floats(1e-9), Bits.seeded(1))


class Steps:
    """A law whose distribution function jumps at −3 only: far from the guess, exact everywhere."""

    def cumulative(self, i: int, k: int) -> tuple[flint.arb, flint.arb]:
        value = flint.arb(1 if k >= -3 else 0)
        return value, value


@pytest.mark.parametrize("guess", [0, -3, -4, 2**52, -(2**52), 10**20])
def test_any_guess_leads_to_the_output(guess):
    assert quantile(Steps(), 0, 2**63, iter(()), guess) == -3


def expected_escalations(sampler: Sampler, size: int) -> float:
    """Σ 2B_i + 2^−34·size: a draw is escalated when the fractional part of the output, which is uniform
    on the scale of B, lies within B of 1/2, or when U < 2^−34.
    """
    work, total = Workspace(), 0.0
    words = Bits.seeded(9).words(size)
    for start in range(0, size, CHUNK):
        part = slice(start, min(start + CHUNK, size))
        work.size = part.stop - start
        signed = words[part].view(np.int64).astype(np.float64)
        _, bound = sampler.evaluate(part, signed, np.abs(signed), 1.0, work)
        total += float(np.minimum(2 * bound, 1).sum())
    return total + size * 2.0**-OCTAVES


@pytest.mark.few(1)
@pytest.mark.parametrize("name", SYMMETRIC)
def test_the_share_of_escalated_draws_is_as_derived(name):
    """Their number is Poisson but for 1e-9: within ± (L/3 + √(L²/9 + 2mL)), L = ln(2/1e-9) (Bernstein)."""
    size = 1 << 19
    sampler = samplers(Reals.floats(np.zeros(size)), Reals.floats(2.0**36), Grid.INTEGERS)[name]
    mean, level = expected_escalations(sampler, size), np.log(2e9)
    allowed = level / 3 + np.sqrt(level**2 / 9 + 2 * mean * level)
    assert mean > allowed, "few would be compatible with none"
    assert abs(draw(sampler, Bits.seeded(8)).escalated - mean) <= allowed


@pytest.mark.parametrize("name", ["laplace", "gaussian", "heavy-tailed"])
def test_at_ordinary_scales_fewer_than_one_draw_in_a_billion_is_escalated(name):
    size = 1 << 18
    sampler = samplers(Reals.floats(np.full(size, 1000.0)), Reals.floats(100.0), Grid.INTEGERS)[name]
    assert expected_escalations(sampler, size) / size < 1e-9
