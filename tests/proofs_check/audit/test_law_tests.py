"""A changed law is noticed, an unchanged one is not accused, and strategies shrink to the smallest pair."""

import math
from types import SimpleNamespace

import mpmath
import numpy as np
import pytest
from hypothesis import Phase, find, given, settings

from establish import assert_density, assert_moments, assert_same_law, assert_unbiased, neighbors
from establish.proofs_check.audit import dp, edge, gedp, strong_er_ee
from establish.proofs_check.audit.gallery.noise import heavy_tailed
from establish.proofs_check.audit.law_tests import visible
from establish.spec.distributions.geometric import Geometric
from establish.spec.distributions.laplace import Laplace
from establish.spec.parameters import ParameterError
from establish.spec.relations.universes import ShapeUniverse, SizeUniverse

# Every assertion below would fail at another seed with probability at most 1e-9.


def laplace(scale):
    return lambda size, rng: rng.laplace(0.0, scale, size)


SAME = {
    "Laplace noise and a difference of exponentials": (
        laplace(1.0),
        lambda size, rng: rng.exponential(size=size) - rng.exponential(size=size),
    ),
    "heavy tails": (lambda size, rng: heavy_tailed(size, rng),) * 2,
    "whole numbers": (
        lambda size, rng: rng.poisson(3.0, size),
        lambda size, rng: rng.poisson(1.0, size) + rng.poisson(2.0, size),
    ),
    "vectors": (
        lambda size, rng: rng.normal(size=(size, 3)),
        lambda size, rng: rng.normal(size=(size, 3))[:, ::-1],
    ),
    "a constant": (lambda size, rng: np.full(size, 7.0),) * 2,
}


@pytest.mark.parametrize(("new", "old"), SAME.values(), ids=SAME)
def test_samplers_of_one_law_are_not_accused(new, old):
    assert 0 < assert_same_law(new, old, samples=40_000, seed=1) <= 1


CHANGED = {
    "a scale 8% larger": (laplace(1.08), laplace(1.0), "output <"),
    "a shift of a tenth": (lambda size, rng: 0.1 + rng.laplace(size=size), laplace(1.0), "output"),
    "rounding to tenths": (lambda size, rng: np.round(rng.laplace(size=size), 1), laplace(1.0), "lattice"),
    "an atom in one draw of a hundred": (
        lambda size, rng: np.where(rng.random(size) < 0.01, 3.25, rng.laplace(size=size)),
        laplace(1.0),
        "3.25",
    ),
    "a heavier tail": (
        lambda size, rng: rng.standard_t(3, size),
        lambda size, rng: rng.standard_t(6, size),
        "output",
    ),
    "correlation": (
        lambda size, rng: rng.normal(size=(size, 1)) + 0.5 * rng.normal(size=(size, 2)),
        lambda size, rng: math.sqrt(1.25) * rng.normal(size=(size, 2)),
        "difference",
    ),
    "one coordinate more": (
        lambda size, rng: rng.normal(size=(size, 3)),
        lambda size, rng: rng.normal(size=(size, 2)),
        "output",
    ),
}


@pytest.mark.parametrize(("new", "old", "said"), CHANGED.values(), ids=CHANGED)
def test_a_changed_law_is_noticed_with_the_event_that_shows_it(new, old, said):
    with pytest.raises(AssertionError, match="the laws differ") as caught:
        assert_same_law(new, old, samples=100_000, seed=1)
    assert said in str(caught.value)


def test_mechanisms_are_compared_on_each_dataset():
    def old(sizes, rng):
        return sum(sizes) + rng.laplace()

    def new(sizes, rng):
        return sum(sizes) + rng.laplace() * (1.2 if max(sizes) > 50 else 1)

    assert_same_law(new, old, [(3, 4)], samples=20_000)
    with pytest.raises(AssertionError, match=r"the laws differ on \(3, 60\)"):
        assert_same_law(new, old, [(3, 4), (3, 60)], samples=20_000)


def test_the_visible_difference_shrinks_with_the_root_of_the_draws():
    assert visible(10_000) / visible(1_000_000) == pytest.approx(10, rel=1e-9)
    # A difference of that size in the probability of a threshold is found: P(Z > 0) moves by `gap`.
    shifted = -math.log(2 * (0.5 - visible(100_000)))
    with pytest.raises(AssertionError):
        assert_same_law(lambda size, rng: shifted + rng.laplace(size=size), laplace(1.0), samples=100_000)


def half_laplace(x):
    return mpmath.exp(-abs(x)) / 2


def quartic(x):
    return mpmath.sqrt(2) / mpmath.pi / (1 + x**4)


DENSITIES = {
    "Laplace by its density": (laplace(1.0), half_laplace, {"breaks": (0.0,)}),
    "Laplace by its law": (laplace(2.0), Laplace(0, 2), {}),
    "noise ∝ 1/(1+z⁴)": (lambda size, rng: heavy_tailed(size, rng), quartic, {}),
    "an exponential on a half-line": (
        lambda size, rng: rng.exponential(size=size),
        lambda x: mpmath.exp(-x),
        {"support": (0, mpmath.inf)},
    ),
    "a geometric law by its distribution function": (
        lambda size, rng: rng.geometric(0.5, size) - rng.geometric(0.5, size),
        Geometric(0, mpmath.mpf(1) / 2),
        {},
    ),
}


@pytest.mark.parametrize(("sampler", "law", "rest"), DENSITIES.values(), ids=DENSITIES)
def test_draws_from_a_density_pass(sampler, law, rest):
    assert assert_density(sampler, law, samples=60_000, **rest) < 0.05


WRONG = {
    "a scale 5% too large": (laplace(1.05), half_laplace, "the law gives"),
    "an approximate normalization": (laplace(1.0), lambda x: 0.99 * half_laplace(x), "integrates"),
    "a cut tail": (lambda size, rng: np.clip(rng.laplace(size=size), -6, 6), half_laplace, "the law gives"),
    "a one-sided fault": (
        lambda size, rng: np.abs(rng.laplace(size=size)) * rng.choice([-1, 1], size, p=[0.48, 0.52]),
        half_laplace,
        "the law gives",
    ),
}


@pytest.mark.parametrize(("sampler", "law", "said"), WRONG.values(), ids=WRONG)
def test_draws_from_another_law_fail_with_the_place_and_both_shares(sampler, law, said):
    with pytest.raises(AssertionError, match=said):
        assert_density(sampler, law, breaks=(0.0,), samples=200_000)


def exponential(x):
    return mpmath.exp(-x)


HALF_LINE = (0, mpmath.inf)
OUTSIDE = {
    "below a half-line": (lambda size, rng: rng.exponential(size=size) - 100, exponential, HALF_LINE),
    "at the end of a half-line": (lambda size, rng: np.zeros(size), exponential, HALF_LINE),
    "now and then below it": (
        lambda size, rng: rng.exponential(size=size) * rng.choice([1, -1], size, p=[0.999, 0.001]),
        exponential,
        HALF_LINE,
    ),
    "beyond an interval": (lambda size, rng: rng.uniform(5, 6, size), lambda x: 1, (0, 1)),
    "infinite": (lambda size, rng: np.full(size, math.inf), half_laplace, (-mpmath.inf, mpmath.inf)),
    "infinite below": (lambda size, rng: np.full(size, -math.inf), exponential, HALF_LINE),
    "infinite, by a distribution function": (
        lambda size, rng: np.full(size, math.inf),
        Laplace(0, 1),
        (-mpmath.inf, mpmath.inf),
    ),
}


@pytest.mark.parametrize(("sampler", "law", "support"), OUTSIDE.values(), ids=OUTSIDE)
def test_draws_outside_the_support_fail(sampler, law, support):
    with pytest.raises(AssertionError, match="the law gives what is not between"):
        assert_density(sampler, law, support=support, breaks=(0.0,), samples=20_000)


def test_a_law_with_a_distribution_function_may_have_mass_at_the_ends_of_its_support():
    bits = lambda size, rng: rng.integers(0, 2, size)  # noqa: E731
    coin = SimpleNamespace(cdf=lambda x: mpmath.mpf(0 if x < 0 else 1 if x >= 1 else 0.5))
    assert assert_density(bits, coin, support=(0, 1), samples=20_000) < 0.1


ERRORS = (0, 1, -1, 2, math.nan, math.inf, None, "often")


@pytest.mark.parametrize("error", ERRORS)
def test_an_error_that_is_no_probability_is_refused(error):
    for refused in (
        lambda: assert_same_law(laplace(1), laplace(1), error=error),
        lambda: assert_density(laplace(1), half_laplace, error=error),
        lambda: assert_unbiased(np.zeros(100), 0, variance=1, error=error),
        lambda: assert_moments(np.zeros(100), {2: 1, 4: 1}, error=error),
    ):
        with pytest.raises(ParameterError, match=r"^error = "):
            refused()


REFUSED = {
    "no number of draws": lambda: assert_same_law(laplace(1), laplace(1), samples="many"),
    "a negative number of draws": lambda: assert_density(laplace(1), half_laplace, samples=-1),
    "no density": lambda: assert_density(laplace(1), None),
    "no moments": lambda: assert_moments(np.zeros(100), None),
    "too few draws": lambda: assert_same_law(laplace(1), laplace(1), samples=10),
    "no datasets": lambda: assert_same_law(laplace(1), laplace(1), []),
    "NaN": lambda: assert_same_law(np.full(2000, math.nan), np.zeros(2000)),
    "another number of draws": lambda: assert_same_law(lambda size, rng: [1.0], laplace(1)),
    "a density of vectors": lambda: assert_density(np.zeros((2000, 2)), half_laplace),
    "a density with a hidden kink": lambda: assert_density(
        laplace(1), lambda x: 1 / mpmath.sqrt(abs(x - 1)) / 10 if abs(x) < 2 else 0
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_compared_is_refused(name):
    with pytest.raises(ParameterError):
        REFUSED[name]()


@pytest.mark.small_campaign
def test_false_alarms_are_rarer_than_stated():
    # At an error of 1/10 each, 100 comparisons of equal laws raise 10 alarms on average at most; 30 or
    # more have probability below 1e-7 by the binomial law. Small samples keep the test fast.
    alarms = 0
    for seed in range(100):
        try:
            assert_same_law(laplace(1.0), laplace(1.0), samples=2000, seed=seed, error=0.1)
            assert_density(laplace(1.0), Laplace(0, 1), samples=2000, seed=seed, error=0.1)
        except AssertionError:
            alarms += 1
    assert alarms < 30


def smallest(definition, universe, fails):
    quiet = settings(database=None, max_examples=5000, phases=[Phase.generate, Phase.shrink])
    return find(neighbors(definition, universe), fails, settings=quiet)


STRONG = strong_er_ee("1/10", 2)


def test_a_step_of_two_workers_shrinks_to_the_smallest_pair():
    # With α = 1/10 an establishment may grow by two from 20 workers on.
    pair = smallest(STRONG, SizeUniverse(2, 30), lambda p: abs(sum(p[0]) - sum(p[1])) > 1)
    assert pair == ((0, 20), (0, 22))


def test_a_threshold_shrinks_to_the_pair_that_crosses_it():
    def crosses(pair):
        return (sum(pair[0]) >= 22) != (sum(pair[1]) >= 22)

    # From 20 workers an establishment may grow by two, so that 22 is reached from there.
    assert smallest(STRONG, SizeUniverse(2, 30), crosses) == ((0, 20), (0, 22))
    assert smallest(edge(1), SizeUniverse(2, 30), crosses) == ((0, 21), (0, 22))


def test_counts_by_worker_attribute_shrink_too():
    by_attribute = edge(1, attributes=2)
    pair = smallest(by_attribute, ShapeUniverse(2, 2, 4), lambda p: sum(map(sum, p[0])) > 2)
    assert pair[0] == ((0, 0), (0, 3))


@given(neighbors(STRONG, SizeUniverse(3, 12)))
@settings(max_examples=200)
def test_every_pair_is_one_of_neighbors_wherever_the_change_is(pair):
    assert STRONG.related(*pair)


def test_changes_are_drawn_at_every_place_and_in_both_directions():
    seen = set()

    @settings(database=None, derandomize=True, max_examples=200)
    @given(neighbors(STRONG, SizeUniverse(3, 12)))
    def draw(pair):
        (place,) = [e for e in range(3) if pair[0][e] != pair[1][e]]
        seen.add((place, pair[0][place] < pair[1][place]))

    draw()
    assert seen == {(place, grows) for place in range(3) for grows in (True, False)}


@pytest.mark.parametrize("definition", [dp(1), gedp(1), edge(1)], ids=str)
def test_pairs_without_a_universe_shrink_to_the_first_by_size(definition):
    assert smallest(definition, None, lambda pair: True) in list(definition.pairs(1000))
