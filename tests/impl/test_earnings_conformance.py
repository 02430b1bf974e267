"""Earnings in numpy against their specification: exactly where nothing is random, else in distribution.

For n independent draws and any set S of outputs, P(|share in S − P(S)| > t) ≤ 2·e^(−2nt²) (Hoeffding); for
distribution functions on the line the same bound holds for all half-lines at once (Dvoretzky, Kiefer,
Wolfowitz, Massart). A test of m sets puts FALSE_ALARM/m on each.
"""

import math
from collections import Counter
from fractions import Fraction as F
from itertools import combinations_with_replacement as combinations
from itertools import product

import numpy as np
import pytest

from establish.impl.earnings import bins, histogram, percentiles, post_processing
from establish.impl.earnings import smooth_percentile as smooth
from establish.impl.earnings.chosen_by_size import BOUNDS, CHOICES, TOTAL, ChosenBySize
from establish.impl.earnings.quantile_tree import Candidates, quantile_tree
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.laws import heavy_tailed
from establish.impl.sampling.reals import Reals
from establish.proofs_check.certification.sampling.kernel_bounds import EPSILONS
from establish.spec.arithmetic import MP
from establish.spec.distributions import geometric
from establish.spec.earnings import bins as spec_bins
from establish.spec.earnings import histogram as spec_histogram
from establish.spec.earnings import percentiles as spec_percentiles
from establish.spec.earnings import post_processing as spec_post
from establish.spec.earnings import quantile_tree as spec_tree
from establish.spec.earnings.chosen_by_size import SizeRule
from establish.spec.earnings.order_sensitivity import printed_smooth, sample_percentile
from establish.spec.earnings.quantile_tree import levels
from establish.spec.earnings.rank_sensitivity import smooth_bound
from establish.spec.earnings.smooth_percentile import SmoothPercentileMechanism
from establish.spec.parameters import ParameterError

FALSE_ALARM = 1e-9
QUARTILES = bins.percentages((25, 50, 75))
SIGNED = np.array(list(product(range(-2, 4), repeat=4)))
UNIT = bins.Bins((0.0, 1.0, 2.0, 4.0, 8.0))


def threshold(draws: int, sets: int) -> float:
    return math.sqrt(math.log(2 * sets / FALSE_ALARM) / (2 * draws))


# Bins and histograms


def test_the_default_bins_are_table_1_and_the_stated_parameters_give_other_ones():
    assert bins.log_normal().edges == spec_bins.TABLE_1
    stated = bins.log_normal(mean=bins.STATED_MEAN, sd=bins.STATED_SD).edges
    assert sum(a != b for a, b in zip(stated, spec_bins.TABLE_1, strict=True)) == 20


@pytest.mark.parametrize("count", [1, 2, 10, 21, 30])
def test_other_numbers_of_bins_are_those_of_the_specification(count):
    shares = (*spec_bins.equal_log_normal_shares(count), F(999, 1000))
    mean, sd = F("11.00255"), F("0.75275")
    exact = spec_bins.log_normal_edges(spec_bins.BOTTOM, shares, mean, sd, MP)
    assert bins.log_normal(count).edges == tuple(float(round(edge)) for edge in exact)
    even = spec_bins.even_edges(bins.BOTTOM, bins.TOP, count, MP)
    assert bins.even(count).edges == pytest.approx([float(edge) for edge in even], rel=1e-15)


def test_every_amount_is_counted_in_the_bin_of_the_specification_and_low_ones_in_the_first():
    law = bins.log_normal()
    spec = spec_bins.Bins(tuple(F(edge) for edge in law.edges))
    amounts = [e + d for e in spec_bins.TABLE_1 for d in (-1, -0.01, 0, 0.01, 1)] + [0.0, 1e12]
    for amount, index in zip(amounts, law.index(np.array(amounts)), strict=True):
        assert index + 1 == (spec.bin_of(F(amount)) or 1)


def test_histograms_of_many_cells_are_those_of_each():
    rng = np.random.default_rng(1)
    cells, earnings = rng.integers(0, 7, 500), np.floor(rng.lognormal(11, 0.8, 500))
    earnings = np.maximum(earnings, bins.BOTTOM)
    found = histogram.histogram(cells, earnings, 8, bins.log_normal())
    for cell in range(8):
        own = [int(e) for e in earnings[cells == cell]]
        assert tuple(found[cell]) == spec_histogram.histogram(own, spec_bins.PSEO_BINS)
    assert found[7].sum() == 0


@pytest.mark.parametrize("epsilon", ["1/10", "1", "3"])
def test_noise_follows_the_two_sided_geometric_law_and_a_budget_off_by_5_percent_is_noticed(epsilon):
    draws, counts = 400_000, np.arange(400_000).reshape(1000, 400)
    noisy = histogram.protected(counts, histogram.budget("ε", epsilon), Bits.seeded(20190320))
    assert noisy.shape == counts.shape
    noise = (noisy - counts).reshape(-1)
    assert noise.dtype == np.int64

    def distance(fault: F) -> float:
        ratio = MP.exp(-MP.number(F(epsilon) * fault))
        reach = range(-400, 400)
        model = np.array([float(geometric.cdf(k, ratio, MP)) for k in reach])
        seen = np.searchsorted(np.sort(noise), np.array(reach), side="right") / draws
        return float(np.abs(seen - model).max())

    assert distance(F(1)) <= threshold(draws, 1)
    assert distance(F(105, 100)) > threshold(draws, 1)
    # Cells and bins have independent noise: pairs of signs agree as often as the law says.
    nonzero = 1 - float(geometric.mass(0, MP.exp(-MP.number(F(epsilon))), MP))
    assert abs((np.sign(noise[0::2]) * np.sign(noise[1::2])).mean()) <= 2 * threshold(draws // 2, 1)
    assert abs((noise != 0).mean() - nonzero) <= threshold(draws, 1)


def test_budgets_outside_the_verified_range_are_refused_and_the_others_stay_exact():
    for value in ("1001", "1/10000000"):
        with pytest.raises(ParameterError, match=r"must lie in 1e-06\.\.1000"):
            histogram.budget("ε", value)
    with pytest.raises(ParameterError, match="ε = 0 is not allowed"):
        histogram.budget("ε", 0)
    assert histogram.budget("ε", "0.1") == F(1, 10)
    assert min(EPSILONS) == histogram.LEAST_EPSILON
    assert max(EPSILONS) == histogram.MOST_EPSILON


# Percentiles


def exact_rows(read):  # type: ignore[no-untyped-def]  # a reader of one list of counts
    return [[read(tuple(int(c) for c in row), F(a, b)) for a, b in QUARTILES] for row in SIGNED]


def agree(found: percentiles.Percentiles, expected: list[list[object]]) -> None:
    rows = iter(found.of_defined)
    for defined, exact in zip(found.defined, expected, strict=True):
        assert bool(defined) == isinstance(exact[0], F)
        if defined:
            assert next(rows) == pytest.approx([float(value) for value in exact], rel=1e-14)


def test_percentiles_of_signed_counts_are_the_corrected_ones_and_missing_where_they_are():
    found = percentiles.percentiles(SIGNED, UNIT, QUARTILES)
    edges = [int(edge) for edge in UNIT.edges]
    agree(found, exact_rows(lambda row, share: spec_percentiles.percentile(edges, row, share)))
    assert set(found.status) == {percentiles.RELEASED, percentiles.NOT_POSITIVE}
    assert np.all(found.filled(-5.0)[~found.defined] == -5)
    assert np.all(np.isfinite(found.of_defined))
    assert np.all(np.diff(found.of_defined, axis=1) > 0)


def test_monotone_percentiles_and_clamped_counts_are_those_of_the_specification():
    found = post_processing.monotone_percentiles(SIGNED, UNIT, QUARTILES)
    edges = [int(edge) for edge in UNIT.edges]
    agree(
        found,
        exact_rows(
            lambda row, share: spec_post.percentile_of(edges, spec_post.monotone_cumulative(row), share)
        ),
    )
    for row, fit in zip(SIGNED, post_processing.monotone_cumulative(SIGNED), strict=True):
        exact = spec_post.monotone_cumulative([int(c) for c in row])
        assert fit == pytest.approx([float(value) for value in exact], abs=1e-14)
    clamped = post_processing.clamped(SIGNED)
    assert [tuple(r) for r in clamped] == [spec_percentiles.at_least_zero(tuple(r)) for r in SIGNED]


def test_cells_that_all_lack_a_positive_count_have_no_percentiles():
    found = percentiles.percentiles(np.array([[0, 0, 0, 0], [1, -2, 0, 0]]), UNIT, QUARTILES)
    assert found.of_defined.shape == (0, 3)
    assert found.status == [percentiles.NOT_POSITIVE] * 2


# Smooth sensitivity


SHARES = ((1, 2), (1, 4), (3, 4), (1, 3), (2, 5), (9, 10))
"""With lists of 1 to 5: whole ranks, fractions on both sides of a half, ranks below 1 and above N."""


@pytest.mark.few(3)
@pytest.mark.parametrize("beta", [0.01, 0.2, 1.0, 5.0])
@pytest.mark.parametrize("share", SHARES)
def test_smooth_sensitivity_is_that_of_the_specification(beta, share):
    for earnings in [e for n in range(1, 6) for e in combinations(range(0, 13, 4), n)]:
        rank = smooth.rank_of(len(earnings), share)
        found = smooth.smooth_sensitivity(np.array(earnings, float), rank, (0.0, 12.0), beta)
        exact = smooth_bound(earnings, F(*share), (0, 12), F(beta), MP)
        assert found == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize("share", SHARES)
def test_percentiles_at_fractional_ranks_are_those_of_the_specification(share):
    for earnings in [e for n in range(1, 6) for e in combinations(range(0, 13, 4), n)]:
        found = smooth.percentile(np.array(earnings, float), share, (0.0, 12.0))
        exact = sample_percentile(earnings, F(*share), (0, 12))
        assert found == pytest.approx(float(exact), abs=1e-13)


@pytest.mark.few(3)
@pytest.mark.parametrize("share", [(1, 61), (1, 4), (2, 5), (30, 61), (3, 5), (3, 4), (60, 61)])
def test_a_long_list_has_the_largest_over_all_windows_at_whole_and_fractional_ranks(share):
    rng = np.random.default_rng(8)
    earnings = [int(e) for e in np.sort(rng.lognormal(11, 0.7, 60).clip(0, 600_000))]
    for beta in (0.002, 0.3):
        rank = smooth.rank_of(60, share)
        assert (rank.part == 0) == (share[1] == 61)
        found = smooth.smooth_sensitivity(np.array(earnings, float), rank, (0.0, 600_000.0), beta)
        exact = smooth_bound(earnings, F(*share), (0, 600_000), F(beta), MP)
        assert found == pytest.approx(float(exact), rel=1e-12)


def test_smooth_sensitivity_of_two_thousand_is_the_largest_of_a_million_pairs():
    earnings = np.sort(np.random.default_rng(12).lognormal(11, 0.7, 2001)).clip(0, 600_000)
    around = np.concatenate(([0.0], earnings, [600_000.0]))
    i, j = np.arange(1001)[:, None], np.arange(1001, 2003)
    for beta in (1e-6, 1e-3, 0.02):  # reaches every pair, then fewer
        pairs = (around[j] - around[i]) * np.exp(-beta * (j - i - 1))
        found = smooth.smooth_sensitivity(earnings, smooth.Rank(1001, 0.0, 1.0), (0.0, 600_000.0), beta)
        last = (around[1002:] - around[1001]) * np.exp(-beta * np.arange(1001))
        assert found == pytest.approx(max(pairs.max(), last.max()), rel=1e-12)


def test_with_equal_earnings_only_the_public_ends_matter():
    equal = np.full(9, 7.0)
    exact = printed_smooth([7] * 9, F(1, 2), (0, 10), F(1, 2))
    assert exact == F(7, 16), "four of nine changed reach the end at distance 7"
    found = smooth.smooth_sensitivity(equal, smooth.Rank(5, 0.0, 1.0), (0.0, 10.0), math.log(2))
    assert found == pytest.approx(float(exact), rel=1e-14)


def test_ranks_are_those_of_the_paper_and_not_rounded():
    assert smooth.rank_of(3, (1, 2)) == smooth.Rank(2, 0.0, 1.0)
    assert smooth.rank_of(7, (3, 4)) == smooth.Rank(6, 0.0, 1.0)
    # N = 4, X = 50: M = 5/2; N = 2, X = 25: M = 3/4, three quarters of what e_1 moves; X = 75: M = 9/4.
    assert smooth.rank_of(4, (1, 2)) == smooth.Rank(2, 0.5, 1.0)
    assert smooth.rank_of(2, (1, 4)) == smooth.Rank(1, 0.0, 0.75)
    assert smooth.rank_of(2, (3, 4)) == smooth.Rank(2, 0.0, 0.75)


@pytest.mark.small_campaign
@pytest.mark.parametrize("earnings", [(10, 12, 20, 21, 40), (10, 20, 20, 40)])
def test_smooth_percentiles_follow_the_corrected_law(earnings):
    draws = 40_000
    (center,), (scale,) = smooth.centers_and_scales(np.array(earnings, float), ((1, 2),), (1.0,), (0.0, 50.0))
    drawn = heavy_tailed(Reals.floats(np.full(draws, center)), Reals.floats(scale), Bits.seeded(5))
    values = np.sort(drawn)
    law = SmoothPercentileMechanism(F(1, 2), 1, (0, 50)).output(earnings)
    points = np.linspace(-2000, 2000, 41)
    # Values are rounded to whole dollars: at most k exactly when the ideal one is at most k + 1/2.
    model = np.array([float(law.cdf(F(point) + F(1, 2))) for point in points])
    seen = np.searchsorted(values, points, side="right") / draws
    assert np.abs(seen - model).max() <= threshold(draws, 1)
    halved = np.array([float(law.cdf(20 + (F(point) + F(1, 2) - 20) * F(9, 10))) for point in points])
    assert np.abs(seen - halved).max() > threshold(draws, 1)


def test_budgets_that_do_not_add_up_and_bad_cells_are_refused():
    assert smooth.split(1.0, QUARTILES) == (1 / 3, 1 / 3, 1 / 3)
    assert smooth.split(1.0, QUARTILES, (0.5, 0.25, 0.25)) == (0.5, 0.25, 0.25)
    with pytest.raises(ParameterError, match="must add up to ε = 1"):
        smooth.split(1.0, QUARTILES, (0.5, 0.5, 0.5))
    with pytest.raises(ParameterError, match="one ε_x > 0 per percentile"):
        smooth.split(1.0, QUARTILES, (0.5, 0.5))
    with pytest.raises(ParameterError, match="one ε_x > 0 per percentile"):
        smooth.split(1.0, QUARTILES, (1.5, -0.5, 0.0))
    for earnings, ends, message in (
        ([], (0.0, 1.0), "empty cell"),
        ([1.0], (1.0, 1.0), "lower end is below"),
        ([5.0], (0.0, 1.0), "must lie in the public range"),
    ):
        with pytest.raises(ParameterError, match=message) as refused:
            smooth.centers_and_scales(np.array(earnings), ((1, 2),), (1.0,), ends)
        assert "5" not in str(refused.value)


# The recursive exponential mechanism, and the rule


@pytest.mark.parametrize("shares", [((1, 2),), QUARTILES, ((1, 4), (1, 2))])
def test_drawn_quantiles_follow_the_exact_law(shares):
    earnings, draws, epsilon = (1, 3, 3, 5), 60_000, F(2)
    values, weights = (0, 2, 4, 6), (1, 2, 1, 3)
    candidates = Candidates(np.array(values, float), np.array(weights, float))
    cells = np.repeat(np.arange(draws), len(earnings))
    below = candidates.below(cells, np.tile(earnings, draws).astype(float), draws)
    assert below[0].tolist() == [0, 1, 3, 4]
    sizes = np.full(draws, len(earnings))
    drawn = quantile_tree(below, sizes, candidates, shares, epsilon, Bits.seeded(6))
    seen = Counter(map(tuple, drawn.astype(int).tolist()))

    def model(scale: F) -> dict[tuple[int, ...], float]:
        half = MP.exp(-MP.number(epsilon * scale) / (2 * levels(len(shares))))
        exact = spec_tree.QuantileTree(
            values, [MP.number(w) for w in weights], [F(a, b) for a, b in shares], half, MP
        )
        return {tuple(int(v) for v in key): float(p) for key, p in exact.output(earnings).items()}

    law = model(F(1))
    assert set(seen) <= set(law)
    limit = threshold(draws, len(law))
    assert max(abs(seen[key] / draws - p) for key, p in law.items()) <= limit
    assert max(abs(seen[key] / draws - p) for key, p in model(F(3, 2)).items()) > limit


def test_the_public_candidates_carry_the_weights_of_the_log_normal_law():
    candidates = Candidates.log_normal()
    assert candidates.values[0] == pytest.approx(bins.BOTTOM)
    assert candidates.values[-1] == pytest.approx(bins.TOP)
    # Between the middles around BOTTOM and TOP the law has all but what lies outside them.
    mean, sd = F("11.00255"), F("0.75275")
    inside = [spec_bins.log_normal_share(end, mean, sd, MP) for end in (bins.TOP, bins.BOTTOM)]
    assert candidates.weights.sum() == pytest.approx(float(inside[0] - inside[1]))


def test_the_rule_picks_as_the_specification_says():
    rule = SizeRule(tuple(map(F, BOUNDS)), tuple(range(len(CHOICES))))
    totals = np.arange(-50, 5000, 7)
    for epsilon in ("1/10", "1", "3", "7/30"):
        picked = ChosenBySize(epsilon, QUARTILES).pick(totals)
        assert picked.tolist() == [rule.pick(int(t), epsilon) for t in totals]
        assert set(picked) <= set(range(len(CHOICES)))


def test_every_class_of_the_rule_releases_its_cells_in_their_places():
    sizes = np.array([0, 20, 45, 80, 180, 400, 3000, 1])
    cells = np.repeat(np.arange(sizes.size), sizes)
    rng = np.random.default_rng(8)
    earnings = np.exp(rng.normal(10.5 + 0.1 * cells, 0.1))
    mechanism = ChosenBySize(1, QUARTILES)
    order = rng.permutation(cells.size)
    released = mechanism.release(cells[order], earnings[order], sizes.size, Bits.seeded(8))
    assert len(set(mechanism.pick(sizes))) == len(CHOICES)
    # P(|K| ≥ k) ≤ 2·e^(−εk) for one count; 14 bins and a share 1/5 of ε at most: 200 is far beyond.
    assert np.abs(released.count - sizes).max() < 200
    middle = released.percentiles.filled(0.0)[5:7, 1]
    assert middle == pytest.approx(np.exp(10.5 + 0.1 * np.array([5, 6])), rel=0.1)
    assert float(TOTAL) == 0.05


class AlwaysClass(ChosenBySize):
    """The rule with its pick fixed, and what it would have picked by kept."""

    def __init__(self, epsilon: int, place: int) -> None:
        super().__init__(epsilon, QUARTILES)
        self.place, self.totals = place, np.zeros(0, dtype=np.int64)

    def pick(self, totals: histogram.Counts) -> np.ndarray:
        self.totals = totals
        return np.full(totals.shape, self.place)


def farthest(seen: np.ndarray, counts: int, epsilon: F) -> float:
    """How far the law of ``seen`` is from that of so many two-sided geometric noises together."""
    ratio = MP.exp(-MP.number(epsilon))
    reach = np.arange(-200, 201)
    masses = [float(spec_histogram.total_noise_mass(int(k), counts, ratio, MP)) for k in reach]
    below = (1 - sum(masses)) / 2
    found = np.searchsorted(np.sort(seen), reach, side="right") / seen.size
    return float(np.abs(found - below - np.cumsum(masses)).max())


@pytest.mark.parametrize(("place", "share"), [(0, F(19, 20)), (3, F(19, 20)), (4, F(1, 5))])
def test_each_class_spends_its_share_of_the_budget_and_no_more(place, share, monkeypatch):
    spent: list[F] = []

    def drawn(below, sizes, candidates, shares, epsilon, bits):  # type: ignore[no-untyped-def]
        spent.append(epsilon)
        return np.full((sizes.size, 3), 5e4)

    monkeypatch.setattr("establish.impl.earnings.chosen_by_size.quantile_tree", drawn)
    draws, choice = 3_000, CHOICES[place]
    mechanism = AlwaysClass(2, place)
    released = mechanism.release(np.arange(draws), np.full(draws, 40_000.0), draws, Bits.seeded(13))
    counts = 1 if choice is None else len(choice[0])
    limit = threshold(draws, 1)
    assert farthest(released.count - 1, counts, 2 * share) <= limit
    assert farthest(released.count - 1, counts, 2 * share * F(3, 2)) > limit
    assert farthest(mechanism.totals - 1, 1, 2 * TOTAL) <= limit
    assert farthest(mechanism.totals - 1, 1, 2 * TOTAL * F(3, 2)) > limit
    # ε = 2: what the total (1/20) and the count (1/5) leave is 3/4 of it.
    assert spent == ([] if choice is not None else [F(3, 2)])
