"""Percentiles and the count in one draw: exact draws, hard cells, and the rule that picks bins or gaps."""

import json
import sys
from fractions import Fraction as F
from pathlib import Path

import numpy as np
import pytest

from establish.impl.earnings import equal_gaps as gaps_module
from establish.impl.earnings.bins import log_normal, percentages
from establish.impl.earnings.bins_or_gaps import CLASSES, GAPS, BinsOrGaps
from establish.impl.earnings.equal_gaps import Cell, EqualGaps, Gaps, Totals, equal_gaps
from establish.impl.earnings.fitted import cut, fitted_law, fitted_percentiles
from establish.impl.earnings.public_law import PLACES, PublicLaw, dollars
from establish.impl.sampling.bits import Bits
from establish.proofs_check.certification import bins_or_gaps as rule_checks
from establish.proofs_check.certification import equal_gaps as checks
from establish.spec.arithmetic import EXACT, enclosing
from establish.spec.earnings import equal_gaps as specified
from establish.spec.parameters import ParameterError

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))
import quartiles

QUARTILES = percentages((25, 50, 75))
LAW = PublicLaw.log_normal()


def drawn(earnings: np.ndarray, epsilon: str, seed: int, shares=QUARTILES):  # type: ignore[no-untyped-def]
    gaps = Gaps(shares, F(epsilon), LAW)
    cells = np.zeros(earnings.size, np.int64)
    totals, values = equal_gaps(gaps, cells, earnings, 1, Bits.seeded(seed))
    return int(totals[0]), values[0]


def sample(size: int) -> np.ndarray:
    return np.exp(np.random.default_rng(5).normal(11, 0.7, size))


@pytest.mark.small_campaign
def test_the_chain_of_sums_is_the_specification():
    assert checks.gaps_enclose().established is True


def test_places_lie_in_their_cents():
    assert checks.places_conform().established is True


def test_sums_with_another_rate_are_noticed(monkeypatch):
    monkeypatch.setattr(Gaps, "rate", property(lambda self: self.epsilon / 3))
    assert checks.gaps_enclose().established is False


@pytest.mark.small_campaign
def test_sums_without_the_factorial_are_noticed(monkeypatch):
    met = gaps_module.Sums._met
    monkeypatch.setattr(
        gaps_module.Sums,
        "_met",
        lambda self, i, last, factor, follows: met(self, i, last, factor * (last - i + 1), follows),
    )
    assert checks.gaps_enclose().established is False


def test_places_outside_their_cents_are_noticed(monkeypatch):
    places = PublicLaw.places
    monkeypatch.setattr(PublicLaw, "places", lambda self, e, spread: places(self, e, spread) + 1)
    assert checks.places_conform().established is False


@pytest.mark.parametrize("size", [0, 1, 40, pytest.param(400, marks=pytest.mark.small_campaign)])
def test_the_draw_does_not_depend_on_how_much_is_left_out(size, monkeypatch):
    before = [drawn(sample(size), "1", seed) for seed in range(5)]
    monkeypatch.setattr(gaps_module, "KEPT", 2)
    after = [drawn(sample(size), "1", seed) for seed in range(5)]
    assert [(t, v.tolist()) for t, v in before] == [(t, v.tolist()) for t, v in after]


def test_what_is_left_out_is_allowed_for():
    """With a D that is far too small, the true chance lies between the ends all the same."""
    with enclosing(256):
        cell = Cell(Gaps(QUARTILES, F(1), LAW), np.sort(LAW.places(sample(60), np.zeros(60, np.uint64))))
        law, fine = Totals(cell), cell.sums()
        exact = [law.cumulative(0, k) for k in range(30)]
        coarse = gaps_module.Sums(cell, 20)
        cell._known[256] = coarse
        for k, (low, high) in enumerate(exact):
            wide_low, wide_high = law.cumulative(0, k)
            assert not wide_low > high
            assert not wide_high < low
        assert coarse.left_out > fine.left_out


def test_a_total_that_is_unknown_at_one_precision_is_left_open():
    with enclosing(128):
        cell = Cell(Gaps(QUARTILES, F(1), LAW), np.zeros(0, np.int64))
        low, high = gaps_module.Blocks(cell, 10**6, ()).cumulative(0, 0)
        assert (float(low), float(high)) == (0.0, 1.0)


def test_many_equal_earnings_do_not_pull_percentiles_away():
    """All 2,000 earn the same: the percentiles are that amount, but for cents, since places differ."""
    _, values = drawn(np.full(2_000, 52_000.0), "1", 3)
    assert np.abs(values - 52_000).max() < 1


def test_large_cells_come_out_near_the_truth():
    """Off by 60 records of 20,000 with a probability below e^(−25): gaps are Laplace of scale 2."""
    earnings = sample(20_000)
    total, values = drawn(earnings, "1", 11)
    assert abs(total - 20_000) < 240
    assert np.abs(np.searchsorted(np.sort(earnings), values) - [5_000, 10_000, 15_000]).max() < 240


def test_any_list_of_percentiles_is_drawn():
    shares = percentages((5, 10, "12.5", 50, 90))
    _, values = drawn(sample(3_000), "2", 4, shares)
    assert values.size == 5
    assert np.all(np.diff(values) >= 0)


def test_percentiles_that_do_not_increase_are_refused():
    with pytest.raises(ParameterError, match="percentiles must increase: write 25,50,75"):
        EqualGaps(1, percentages((50, 25)))


def test_the_aims_add_up_to_the_total_and_put_ranks_at_percentiles():
    shares = [F(1, 4), F(1, 2), F(3, 4)]
    for total, below in ((0, (0, 0, 0)), (3, (F(1, 2), F(3, 2), F(5, 2))), (30, (7, 15, 23))):
        aims = specified.aims(shares, total)
        assert sum(aims) == total
        assert [sum(aims[: i + 1]) for i in range(3)] == list(below)


@pytest.mark.parametrize(
    "changed",
    [
        {"candidates": (2, 2)},
        {"candidates": (), "weights": ()},
        {"shares": (F(1, 2), F(1, 2))},
        {"shares": ()},
        {"weights": (1,)},
        {"weights": (0, 1)},
        {"totals": ()},
        {"totals": (3, 3)},
        {"totals": (3, -1)},
        {"half": F(0)},
        {"half": F(1)},
    ],
)
def test_a_law_outside_its_domain_is_refused(changed):
    given = {"candidates": (2, 4), "weights": (1, 1), "shares": (F(1, 2),), "totals": (0, 1), "half": F(1, 2)}
    made = specified.EqualGaps(**given, c=EXACT)
    # Nobody earns anything: the aims 0, 0 of T = 0 are met, and 1/2, 1/2 of T = 1 missed by 1.
    assert made.output(()) == {(t, (y,)): F(2 - t, 6) for t in (0, 1) for y in (2, 4)}
    with pytest.raises(ParameterError, match=f"{next(iter(changed))} = "):
        specified.EqualGaps(**given | changed, c=EXACT)


def test_weights_and_places_invert_each_other():
    assert LAW.whole <= 2**52
    assert LAW.weights.min() >= 1
    assert LAW.through(LAW.knots[[0, -1]]).tolist() == [0, LAW.whole]
    assert dollars(5 * 100 * PLACES + PLACES - 1) == 5.0


def test_the_float_law_of_the_comparison_is_the_exact_one():
    """The chance of each total, to six digits."""
    earnings = np.round(sample(50), 2)
    cell = Cell(Gaps(QUARTILES, F(1), LAW), np.sort(LAW.places(earnings, np.zeros(50, np.uint64))))
    floats = quartiles.gap_law(np.sort(earnings), 1.0)
    chance = floats.by_total / floats.by_total.sum()
    with enclosing(256):
        exact = Totals(cell)
        for place, total in enumerate(floats.totals):
            step = total // cell.gaps.step
            low, _ = exact.cumulative(0, step)
            before, _ = exact.cumulative(0, step - 1)
            assert chance[place] == pytest.approx(float(low - before), abs=1e-6)


def test_equal_gaps_beat_joint_exp_in_a_small_case_of_the_comparison():
    """At N = 1,000 and ε = 1 the limit is 1.96/2.46 of JointExp's error; the standard errors are 3% of each,
    and 1 is seven of them away."""
    table = quartiles.errors("shifted", 1_000, "1", datasets=2, draws=250)
    assert table["equal-gaps"].mean < table["JointExp"].mean
    assert table["bins-or-gaps"].mean < 1.25 * min(error.mean for error in table.values())
    assert table["smooth"].mean > 10 * table["equal-gaps"].mean


def test_the_fitted_law_spreads_and_draws_counts_towards_itself():
    bins = log_normal(6)
    counts = np.array([[0, 0, 0, 0, 0, 0], [-9, -9, -9, -9, -9, -9], [400, 400, 400, 400, 400, 400]])
    law = fitted_law(counts, bins, 1.0)
    assert law.shape == (3, 6, 16)
    assert law.sum(axis=(1, 2)) == pytest.approx(1)
    found = fitted_percentiles(counts, bins, QUARTILES, 1.0, 2.0)
    assert found.defined.all()
    values = found.of_defined
    assert np.all(np.diff(values, axis=1) > 0)
    # Equal counts in bins of equal chances: the quartiles of the recovered law, 36073, 59950, 99640.
    assert values[2] == pytest.approx([36_073, 59_950, 99_640], rel=0.03)
    assert np.all(np.diff(cut(bins).rows) > 0)


def test_the_rule_and_the_budget_are_those_that_are_documented():
    assert rule_checks.picks_conform().established is True


def test_a_rule_that_spends_more_on_gaps_is_noticed(monkeypatch):
    made = BinsOrGaps.__init__

    def all_of_it(self: BinsOrGaps, *given: object, **options: bool) -> None:
        made(self, *given, **options)  # type: ignore[arg-type]
        self.gaps = Gaps(self.shares, self.epsilon, LAW)

    monkeypatch.setattr(BinsOrGaps, "__init__", all_of_it)
    assert rule_checks.gaps_spend_the_rest().established is False


def test_bins_or_gaps_is_the_default_and_tells_the_class(
    tmp_path,
    succeeds,
    rows_of,  # type: ignore[no-untyped-def]
):
    lines = [f"{cell},{30_000 + 31 * k}" for cell, n in (("a", 20), ("b", 900)) for k in range(n)]
    source, out = tmp_path / "p.csv", tmp_path / "o.csv"
    source.write_text("\n".join(["cell,earned", *lines]) + "\n", encoding="utf-8")
    printed = succeeds(
        *("release", "earnings", source, "--epsilon", "1", "--earnings", "earned"),
        *("--cell", "cell", "--seed", 2, "--out", out),
    )
    assert "2 cells released by bins-or-gaps (ours calibration)" in printed
    rows = {str(row["cell"]): row for row in rows_of(out)}
    # The noisy totals are off by 250 with a probability below e^(−8); the seed is fixed.
    assert rows["b"]["class"] == "equal gaps"
    assert str(rows["a"]["class"]).endswith(" bins")
    assert 38_000 < float(str(rows["b"]["p50"])) < 50_000
    record = json.loads((tmp_path / "o.csv.json").read_text(encoding="utf-8"))
    assert record["parameters"]["equal_gaps_from_noisy_total"] == 190
    assert len(record["parameters"]["classes_of_bins"]) == len(CLASSES) == GAPS
