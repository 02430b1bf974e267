"""The numbers of the Foote et al. claims by second methods; their evidence can come out otherwise."""

import re
from fractions import Fraction as F
from itertools import combinations
from statistics import NormalDist

import mpmath
import numpy as np
import pytest
from flint import arb
from mpmath import mpf

from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.register import claims
from establish.proofs_check.engine.verdicts import Outcome, UnsettledError
from establish.proofs_check.papers.foote2019 import (
    bin_bounds,
    fractional_ranks,
    further_releases,
    gaps,
    persons,
    smooth_percentile,
)
from establish.proofs_check.papers.foote2019.half_planes import HalfPlane, clipped
from establish.spec.arithmetic import enclosing
from establish.spec.earnings.bins import TABLE_1
from establish.spec.earnings.histogram import histogram
from establish.spec.earnings.order_sensitivity import windows
from tests.proofs_check.papers.test_haney2017_numbers import maximum

pytestmark = pytest.mark.usefixtures("thirty_digits")

PERCENTS = [*range(5, 100, 5), F(975, 10), F(999, 10)]
"""The percentiles of footnote 18, written anew."""


def verdict_of(label):
    return claims()[f"foote2019/{label}"].check()


def recorded(label):
    """How the claim comes out: ``make check`` compares every claim with the ledger."""
    return ledger.recorded()[f"foote2019/{label}"]


def numbers(text):
    return [mpf(found) for found in re.findall(r"\d+\.\d+", text)]


def normal_quantile(percent):
    """By root finding on the normal distribution function; the claims use the inverse error function."""
    p = mpf(F(percent).numerator) / F(percent).denominator / 100
    start = NormalDist().inv_cdf(float(p))
    return mpmath.findroot(lambda z: mpmath.ncdf(z) - p, start)


def quantile(percent, mean, sd):
    return mpmath.exp(mpf(mean) + mpf(sd) * normal_quantile(percent))


# Table 1


def test_the_fitted_parameters_give_every_dollar():
    for percent, dollars in zip(PERCENTS, TABLE_1[1:], strict=True):
        assert mpmath.nint(quantile(percent, "11.00255", "0.75275")) == dollars


def test_the_polygon_is_that_of_all_crossings_that_meet_every_bound():
    # every corner of the polygon is a crossing of two of the 42 boundary lines
    half, slack = mpf(1) / 2, mpf(10) ** -25
    bands = [
        (normal_quantile(p), mpmath.log(v - half), mpmath.log(v + half))
        for p, v in zip(PERCENTS, TABLE_1[1:], strict=True)
    ]
    lines = [(z, end) for z, low, high in bands for end in (low, high)]
    corners = []
    for (z1, b1), (z2, b2) in combinations(lines, 2):
        if z1 != z2:
            sd = (b1 - b2) / (z1 - z2)
            mean = b1 - sd * z1
            if all(low - slack <= mean + sd * z <= high + slack for z, low, high in bands):
                corners.append((mean, sd))
    found = [(mpf(m.str(30, radius=False)), mpf(s.str(30, radius=False))) for m, s in bin_bounds.parameters()]
    assert len(found) == len(corners) == 5
    for a, b in zip(sorted(found), sorted(corners), strict=True):
        assert abs(a[0] - b[0]) < mpf(10) ** -20
        assert abs(a[1] - b[1]) < mpf(10) ** -20


def test_the_polygon_is_empty_for_a_table_with_one_wrong_dollar(monkeypatch):
    wrong = list(TABLE_1)
    wrong[10] += 1
    monkeypatch.setattr(bin_bounds, "TABLE_1", tuple(wrong))
    assert bin_bounds.parameters() == []


def test_rounding_to_a_dollar_is_refuted_one_dollar_off():
    right, *wrong = (
        bin_bounds.rounds_to(dollars, F(1, 20), F(11003, 1000), F(753, 1000))
        for dollars in (17403, 17402, 17404)
    )
    assert right.at({}).value is True
    assert [statement.at({}).value for statement in wrong] == [False, False]


def test_the_shares_of_the_bins():
    law = NormalDist(11.00255, 0.75275)
    first, below = numbers(recorded("equal-likely-bins").value)
    assert abs(float(below) - law.cdf(float(mpmath.log(10_000)))) < 1e-12
    assert abs(float(first + below) - 0.05) < 1e-12


# Half-planes


def planes(*coefficients):
    return [HalfPlane(*map(arb, triple)) for triple in coefficients]


def test_half_planes_cut_a_triangle_out_of_a_box():
    with enclosing():
        # x + y ≤ 1 inside 0 ≤ x, y ≤ 3
        corners = clipped(((0, 3), (0, 3)), planes((1, 1, 1)))
    assert sorted((float(x), float(y)) for x, y in corners) == [(0, 0), (0, 1), (1, 0)]


def test_half_planes_that_exclude_each_other_leave_nothing():
    with enclosing():
        assert clipped(((0, 3), (0, 3)), planes((1, 0, 1), (-1, 0, -2))) == []


def test_a_corner_on_a_boundary_is_not_decided():
    with enclosing(), pytest.raises(ArithmeticError, match="corner"):
        clipped(((0, 3), (0, 3)), planes((1, 1, 3), (1, 0, 3)))


# The smooth sensitivity mechanism


def rate(slide):
    """The maximum over z of the loss per budget in the limit of small budgets, from the density."""
    return maximum(lambda z: 4 * z**3 * (slide + z / 4) / (1 + z**4) - mpf(1) / 4, mpf(1), mpf(8))


def test_the_total_losses_per_budget():
    meant, printed = numbers(recorded("ss-total-eps-x").value)
    assert abs(meant - rate(mpf(1) / 16)) < mpf(10) ** -15
    assert abs(printed - rate(mpf(3) / 16)) < mpf(10) ** -15
    (loose,) = numbers(recorded("gamma-scale").value)
    assert abs(loose - rate(mpf(1))) < mpf(10) ** -15


def loss_by_densities(n, slide):
    """max over outputs of ln(p'/p) for the pair at e^β = 1 + 1/n, with the scales written out."""
    growth = 1 + mpf(1) / n
    budget = 4 * mpmath.log(growth)
    first, second = smooth_percentile.neighbors_at(n)
    centers = first[2], second[2]
    small = mpf(n**2) / (slide * budget)  # S* = n² and n(n+1)
    scales = small, growth * small

    def log_density(y, i):
        return -mpmath.log(scales[i]) - mpmath.log(1 + ((y - centers[i]) / scales[i]) ** 4)

    outputs = [centers[1] + scales[1] * mpf(k) / 50 for k in range(-500, 501)]
    losses = [abs(log_density(y, 1) - log_density(y, 0)) for y in outputs]
    return max(losses) / budget


@pytest.mark.parametrize("n", [2, 3, 10, 100])
def test_the_corrected_mechanism_keeps_its_promise_on_extreme_pairs(n):
    assert loss_by_densities(n, mpf(1) / 16) < rate(mpf(1) / 16)


def test_the_published_mechanism_breaks_its_promise_for_small_budgets_only():
    assert loss_by_densities(10, mpf(3) / 16) > mpf("1.027")
    assert loss_by_densities(2, mpf(3) / 16) < 1


def test_the_extreme_pairs_have_the_stated_sensitivities():
    for n in (2, 5, 10):
        first, second = smooth_percentile.neighbors_at(n)
        ends = (0, (n + 1) ** 2)
        smooth = [
            max(F(n, n + 1) ** k * w for k, w in enumerate(windows(d, F(1, 2), ends)))
            for d in (first, second)
        ]
        assert smooth == [n**2, n * (n + 1)]


def test_dilation_by_a_quarter_of_the_budget_costs_more_than_half():
    z, lam = mpf(10), mpf(1)
    loss = mpmath.log((1 + (mpmath.e**lam * z) ** 4) / (1 + z**4)) - lam
    assert 2 < loss < 3


def share_of_h(start):
    """What draws beyond ``start`` standard deviations contribute to the mean of |Z|, by quadrature."""

    def weight(z):
        return z / (1 + z**4)

    far = mpmath.quad(weight, [start, start + 7, start + 100, mpmath.inf])
    return far / mpmath.quad(weight, [0, 1, 3, 10, mpmath.inf])


def share_of_laplace(start):
    """The same for the density e^(−√2|z|)/√2."""

    def moment(k, start):
        return mpmath.quad(
            lambda z: z**k * mpmath.exp(-mpmath.sqrt(2) * z) * mpmath.sqrt(2),
            [start, start + 5, start + 20, mpmath.inf],
        )

    assert abs(moment(2, 0) - 1) < mpf(10) ** -12  # variance 1, as of h
    assert abs(moment(1, 0) - 1 / mpmath.sqrt(2)) < mpf(10) ** -12  # and the same mean of |z|
    return moment(1, start) / moment(1, 0)


def test_which_tails_contribute_more_to_the_mean_error_depends_on_where_they_begin():
    assert abs(share_of_h(3) - mpf("0.0704")) < mpf("0.0001") < share_of_laplace(3) - share_of_h(3)
    assert share_of_h(4) > mpf("1.5") * share_of_laplace(4)
    same = mpf(recorded("h-fat-tails").value)
    assert abs(share_of_h(same) - share_of_laplace(same)) < mpf(10) ** -12


# The protected histogram


def test_what_an_empty_bin_generates_when_negative_counts_are_taken_as_zero():
    # ρ = 1/3: masses 1/2·3^(−k) at ±k; P(K < 0) = 1/4 and E max(K, 0) = 3/8
    masses = [F(1, 2) / 3**k for k in range(1, 80)]
    assert abs(sum(masses) - F(1, 4)) < F(1, 10**30)
    assert abs(sum(k * mass for k, mass in enumerate(masses, start=1)) - F(3, 8)) < F(1, 10**30)
    assert "ρ/(1−ρ²)" in recorded("sec5.1-negative-counts").value
    assert F(1, 3) / (1 - F(1, 9)) == F(3, 8)


def test_the_probability_that_a_total_is_not_positive():
    # 20-fold convolution of the two-sided geometric masses at ε = 0.1, cut at ±2000
    ratio = np.exp(-0.1)
    single = (1 - ratio) / (1 + ratio) * ratio ** np.abs(np.arange(-2000, 2001))
    spectrum = np.fft.fft(np.fft.ifftshift(single), 4001)
    total = np.fft.fftshift(np.real(np.fft.ifft(spectrum**20)))
    chance = total[: 2000 - 30 + 1].sum()
    assert abs(chance - float(recorded("sec5-params").value)) < 1e-9


def test_what_else_is_released_is_not_private_when_the_counts_are_exact(monkeypatch):
    monkeypatch.setattr(further_releases, "_protected", lambda d: {histogram(d, further_releases.BINS): F(1)})
    with pytest.raises(UnsettledError, match="total"):
        verdict_of("sec3.1-cell-count")


# Empty bins


def test_equal_shares_leave_the_fewest_of_three_bins_empty():
    # all shares in twelfths, cells of 1 to 6
    shares = [(F(a, 12), F(b, 12), F(12 - a - b, 12)) for a in range(13) for b in range(13 - a)]
    for size in range(1, 7):
        means = {p: sum((1 - x) ** size for x in p) for p in shares}
        assert min(means.values()) == 3 * F(2, 3) ** size
        equal = [p for p, mean in means.items() if mean == 3 * F(2, 3) ** size]
        assert equal == [(F(1, 3),) * 3] if size > 1 else len(equal) == len(shares)


def test_the_even_bins_that_are_empty_by_another_normal_law():
    law, edges = NormalDist(11.003, 0.753), np.linspace(10_000, 614_597, 22)
    below = [law.cdf(float(np.log(edge))) for edge in edges]
    inside = [*np.diff(below[:-1]), 1 - below[-2]]
    mean = sum((1 - x / (1 - below[0])) ** 30 for x in inside)
    assert mean == pytest.approx(13.76, abs=0.005)


# Gaps between earnings


@pytest.mark.few(2)
@pytest.mark.parametrize("size", [3, 5, 9])
def test_the_larger_gap_beside_the_median_by_quadrature(size):
    # two neighboring spacings of uniform draws have the density N(N−1)(1−x−y)^(N−2); x ≥ y is half of it
    def larger(x, y):
        return 2 * x * size * (size - 1) * (1 - x - y) ** (size - 2)

    half = mpf(1) / 2
    mean = mpmath.quad(lambda x: mpmath.quad(lambda y: larger(x, y), [0, min(x, 1 - x)]), [0, half, 1])
    assert abs(mean - mpf(3) / (2 * (size + 1))) < mpf(10) ** -15
    assert recorded("sec5-ls-by-size").value.startswith("3/(2(N+1))")


def test_the_gaps_of_large_cells_are_not_settled_by_earnings_without_a_gap(monkeypatch):
    monkeypatch.setattr(gaps, "_two_groups", lambda size: (0,) * size)
    with pytest.raises(UnsettledError, match="two groups"):
        verdict_of("sec5-ls-by-size")


# Faults that the claims must notice


def one_row_only(records, longest):
    return tuple((record,) for record in records)


def half_of(formula):
    return lambda *arguments: formula(*arguments) / 2


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("label", "module", "name", "fault"),
    [
        ("sec3-cells-per-person", persons, "histories_up_to", lambda known: one_row_only),
        ("sec3-history-changes", persons, "histories_up_to", lambda known: one_row_only),
        ("eq-4.6-rank-rounded-up", fractional_ranks, "floor", lambda known: lambda x: known(x) + 1),
        ("eq-4.6-rank-interpolated", fractional_ranks, "smooth_by_change", half_of),
        ("eq-4.6-rank-by-presence", fractional_ranks, "smooth_by_presence", half_of),
        ("eq-4.6-rank-by-presence", fractional_ranks, "local_by_presence", half_of),
    ],
)
def test_a_claim_notices_a_fault_in_what_it_reads(label, module, name, fault, monkeypatch):
    assert recorded(label).verdict != Outcome.UNSETTLED
    monkeypatch.setattr(module, name, fault(getattr(module, name)))
    with pytest.raises(UnsettledError):
        verdict_of(label)
