"""The simulations of Foote et al. 2019, Section 5: as the specification says, and with certain signs."""

from fractions import Fraction as F

import numpy as np
import pytest

from establish.proofs_check.engine.methods.statistical import follows_law
from establish.proofs_check.engine.register import claims
from establish.proofs_check.engine.verdicts import Grade, UnsettledError
from establish.proofs_check.papers.foote2019.simulations import (
    grid,
    log_normal_cells,
    on_grid,
    sampled_cells,
    summed_error,
)
from establish.spec.distributions import heavy_tailed
from establish.spec.earnings.bins import Bins
from establish.spec.earnings.histogram import histogram
from establish.spec.earnings.order_sensitivity import windows
from establish.spec.earnings.percentiles import NoPercentile, percentile


def verdict_of(label):
    return claims()[f"foote2019/{label}"].check()


# The simulation


def test_simulated_histograms_and_percentiles_are_those_of_the_specification():
    rng = np.random.default_rng(1)
    scheme = sampled_cells.even_bins(6)
    bins = Bins(tuple(map(F, scheme.edges)))
    cells = sampled_cells.cells_of(15, 40, rng)
    counts = scheme.counts(cells)
    for row, shares in zip(counts, cells, strict=True):
        assert histogram(map(F, sampled_cells.dollars(shares)), bins) == tuple(row)
    noisy = sampled_cells.protected(counts, 0.5, rng)
    assert np.any(noisy < 0)
    assert np.any(noisy.sum(axis=1) <= 0)
    shares = (0.25, 0.5, 0.75)
    for share, found in zip(shares, sampled_cells.percentiles(scheme.edges, noisy, shares), strict=True):
        for value, row in zip(found, noisy, strict=True):
            expected = percentile(bins.edges, tuple(map(int, row)), F(share))
            if isinstance(expected, NoPercentile):
                assert np.isnan(value)
            else:
                assert abs(value / float(expected) - 1) < 1e-12


@pytest.mark.parametrize(("size", "share"), [(7, 0.25), (7, 0.5), (31, 0.75)])
def test_simulated_windows_are_those_of_the_specification(size, share):
    cells = sampled_cells.cells_of(size, 5, np.random.default_rng(2))
    found = sampled_cells.windows(cells, share, size)
    ends = (10_000, int(sampled_cells.TOP))
    for row, shares in zip(found, cells, strict=True):
        expected = windows([F(x) for x in sampled_cells.dollars(shares)], F(share), ends)
        assert np.allclose(row, [float(width) for width in expected], rtol=1e-12)
    assert np.array_equal(sampled_cells.windows(cells, share, 3), found[:, :4])


def test_simulated_noise_has_the_heavy_tailed_law():
    # the distribution function by quadrature-free formula: atan and log terms of ∫ dz/(1+z⁴)
    def cdf(z):
        root = np.sqrt(2)
        logs = np.log((z**2 + root * z + 1) / (z**2 - root * z + 1))
        arcs = np.arctan(root * z + 1) + np.arctan(root * z - 1)
        return 0.5 + (logs / 2 + arcs) / (2 * np.pi)

    assert abs(cdf(np.array(1.0)) - float(heavy_tailed.HeavyTailed(0, 1).cdf(1))) < 1e-12
    sample = sampled_cells.heavy_tailed_noise(50_000, np.random.default_rng(3))
    assert follows_law(sample, cdf, "the noise").established is True
    assert follows_law(1.2 * sample, cdf, "another scale").established is False


def test_simulated_counts_have_the_geometric_noise():
    noise = sampled_cells.protected(np.zeros((200_000, 1), dtype=np.int64), 1.0, np.random.default_rng(4))
    ratio = np.exp(-1.0)
    for k in (-2, -1, 0, 1, 2):
        expected = (1 - ratio) / (1 + ratio) * ratio ** abs(k)
        # Hoeffding: farther than 0.009 with probability at most 2·e^(−2·200000·0.009²) < 2e-14
        assert abs(np.mean(noise == k) - expected) < 0.009


def test_even_numbers_of_log_normal_bins_have_the_median_at_an_edge():
    assert abs(np.log(sampled_cells.log_normal_bins(20).edges[10]) - 11.00255) < 1e-9


def test_a_mean_that_is_not_positive_is_not_established():
    rng = np.random.default_rng(5)
    fair = rng.choice([-1.0, 1.0], 20_000)
    assert sampled_cells.mean_is_positive(fair, "a fair coin", 1e-6, "draws").established is None
    assert sampled_cells.mean_is_positive(fair + 0.2, "a gain", 1e-6, "draws").established is True
    few = sampled_cells.mean_is_positive(np.full(10, 0.5), "few draws", 1e-6, "draws")
    assert few.established is None
    assert few.grade is Grade.STATISTICAL


def test_many_comparisons_stand_only_when_each_does():
    cells = log_normal_cells.Cells(31, 0.5, 2_000)
    good, bad = np.full(2_000, 0.9), np.full(2_000, 0.1)
    right = log_normal_cells._better(good, bad, "right", "draws")
    wrong = log_normal_cells._better(bad, good, "wrong", "draws")
    assert log_normal_cells._all([right, right], "both", cells.scope("two")).established is True
    both = log_normal_cells._all([right, wrong], "both", cells.scope("two"))
    assert both.established is None
    assert "wrong" in both.witness


def test_even_bins_lose_by_the_summed_error_and_equal_bins_do_not(monkeypatch):
    assert summed_error._even_loses(31, 10_000, 0.5).established is True
    monkeypatch.setattr(summed_error, "even_bins", sampled_cells.log_normal_bins)
    assert summed_error._even_loses(31, 10_000, 0.5).established is None


@pytest.mark.small_campaign
def test_cell_sizes_are_not_settled_when_even_bins_are_as_good(monkeypatch):
    monkeypatch.setattr(log_normal_cells, "even_bins", sampled_cells.log_normal_bins)
    with pytest.raises(UnsettledError, match="beat even bins"):
        verdict_of("sec5-cellsize")


def test_fractional_ranks_are_refused_by_the_simulation():
    with pytest.raises(ValueError, match="fractional"):
        sampled_cells.rank_of(30, 0.25)


# The grid of Section 5


@pytest.fixture
def small_grid(monkeypatch):
    """Cells of 7 only, few of them, sampled anew."""
    monkeypatch.setattr(grid, "SIZES", {7: 2_000})
    grid.sampled.cache_clear()
    yield
    grid.sampled.cache_clear()


def test_the_grid_has_every_combination_once():
    found = list(grid.points())
    assert len(set(found)) == len(found) == 4 * 5 * 6 * 3
    assert {p.share for p in found} == {0.25, 0.5, 0.75}
    assert (min(grid.BINS), max(grid.BINS)) == (10, 30)
    assert (min(grid.BUDGETS), max(grid.BUDGETS)) == (0.1, 3.0)
    for size in grid.SIZES:
        for share in grid.SHARES:
            sampled_cells.rank_of(size, share)


def test_the_grid_samples_what_the_single_simulations_do(small_grid):
    # The same law by other draws: means of 2000 and 20000 accuracies in [0, 1] are farther apart than 0.12
    # with probability at most 2·e^(−2·2000·0.08²) + 2·e^(−2·20000·0.04²) < 2e-11 each; 24 are compared.
    for share in grid.SHARES:
        cells = log_normal_cells.Cells(7, share, 20_000)
        widths = sampled_cells.windows(cells.shares, share, 40)
        for point in (grid.Point(7, 10, 1.0, share), grid.Point(7, 30, 3.0, share)):
            expected = (
                cells.histogram(sampled_cells.log_normal_bins(point.bins), point.epsilon),
                cells.histogram(sampled_cells.even_bins(point.bins), point.epsilon),
                cells.smooth_sensitivity(widths, point.epsilon),
                cells.smooth_sensitivity(widths, point.epsilon / 3),
            )
            found = (grid.by_log_normal, grid.by_even, grid.by_smooth, grid.by_thirds)
            for of, mean in zip(found, expected, strict=True):
                assert abs(of(point).mean() - mean.mean()) < 0.12


def test_the_grid_scales_the_noise_of_smooth_sensitivity_by_its_own_budget(small_grid, monkeypatch):
    tiny = 1e-4
    monkeypatch.setattr(grid, "heavy_tailed_noise", lambda number, rng: np.full(number, tiny))
    cells = sampled_cells.cells_of(7, 2_000, np.random.default_rng([log_normal_cells.SEED, 5, 7]))
    for share in grid.SHARES:
        true = sampled_cells.true_percentile(cells, share)
        widths = sampled_cells.windows(cells, share, 40)
        for epsilon in (0.5, 3.0):
            point = grid.Point(7, 10, epsilon, share)
            for own, of in ((epsilon, grid.by_smooth), (epsilon / 3, grid.by_thirds)):
                # S/(ε_x/16)·z with β = ε_x/4
                sensitivity = (widths * np.exp(-own / 4 * np.arange(widths.shape[1]))).max(axis=1)
                lost = sensitivity / (own / 16) * tiny / true
                assert of(point) == pytest.approx(1 - lost, abs=1e-6)


def test_summed_accuracies_by_hand(small_grid):
    sample = grid.sampled(7)
    exact, lost = np.ones((3, 2_000)), np.zeros((3, 2_000))
    assert np.all(sample.summed(exact) == 1)
    assert np.allclose(sample.summed(lost), 0)
    upper = np.array([[1.0], [1.0], [0.0]]) * exact
    assert np.allclose(sample.summed(upper), 1 - sample.true[2] / sample.true.sum(axis=0))


def test_a_sign_is_said_only_when_it_is_certain(monkeypatch):
    rng = np.random.default_rng(8)
    fair = rng.choice([-1.0, 1.0], 20_000)
    assert [grid.sign(fair + shift) for shift in (0.0, 0.3, -0.3)] == [0, 1, -1]
    # 720 comparisons: √(2·1·ln(2.88e12)/20000) + 14·ln(2.88e12)/(3·19999) = 0.0536 + 0.0067
    monkeypatch.setattr(grid, "FAMILY", 720)
    assert grid.limits(fair)[1] == pytest.approx(0.0603, abs=2e-4)


def test_everywhere_asks_for_every_comparison(small_grid):
    found = list(grid.points())

    def up(p):
        return np.full(2_000, 0.5)

    def down(p):
        return np.full(2_000, 0.5 if p.bins == 10 else 0.1)

    one_missing = grid.signs(found, up, down)
    assert grid.everywhere(one_missing, 1, "all").established is None
    rest = {p: value for p, value in one_missing.items() if p.bins != 10}
    assert grid.everywhere(rest, 1, "without 10 bins").established is True
    assert grid.everywhere(rest, -1, "the other way").established is None
    assert grid.everywhere({}, 1, "nothing").established is None
    assert grid.tally(one_missing) == "72 better, 0 worse, 18 undecided"


def test_the_statements_on_the_grid_are_left_for_thorough_checks():
    labels = {id for id, entry in claims().items() if "grid" in id and entry.source == "foote2019"}
    assert len(labels) == 6
    assert all(claims()[id].thorough for id in labels)


def test_no_statement_on_the_grid_makes_more_comparisons_than_its_error_allows_for(monkeypatch):
    made = []

    def counted(of, first, second):
        points = list(of)
        made.append(len(points))
        return dict.fromkeys(points, 0)

    monkeypatch.setattr(on_grid, "signs", counted)
    for name in ("by_log_normal", "by_even", "by_smooth", "by_thirds"):
        monkeypatch.setattr(on_grid, name, lambda p: np.zeros(9))
    for id, entry in claims().items():
        if entry.source == "foote2019" and "grid" in id:
            made.clear()
            with pytest.raises(UnsettledError):
                entry.check()
            assert 0 < sum(made) <= grid.FAMILY
