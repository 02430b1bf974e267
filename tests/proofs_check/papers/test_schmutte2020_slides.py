"""The claims on the slides: numbers by second methods, and faults that they must notice."""

import itertools
from dataclasses import replace
from fractions import Fraction as F

import mpmath
import numpy as np
import pytest
from mpmath import mpf

from establish import Outcome, symbolic
from establish.proofs_check.engine.register import claims
from establish.proofs_check.papers.schmutte2020_slides import (
    groups,
    laplace_noise,
    local_noise,
    releases,
    umetrics,
    umetrics_budget,
    umetrics_mose,
)
from establish.spec.distributions import laplace
from establish.spec.indistinguishability import likelihood_ratio_bound
from establish.spec.regression import local, mose

SOURCE = "schmutte2020_slides"
ENTRIES = {id: entry for id, entry in claims().items() if entry.source == SOURCE}


def verdict(label):
    return ENTRIES[f"{SOURCE}/{label}"].check()


def test_a_repeated_statement_shares_its_check():
    repeated = [entry for entry in ENTRIES.values() if entry.same_as]
    assert len(repeated) == 17
    for entry in repeated:
        assert entry.check is claims()[entry.same_as].check


# A group's scale depends on the data through χ and its own size.
def test_groups_compose_in_parallel_unless_chi_is_recomputed(monkeypatch, is_settled):
    assert verdict("mose-parallel").outcome is Outcome.HOLDS
    assert verdict("mose-parallel/recomputed").outcome is Outcome.FAILS
    monkeypatch.setattr(mose.Mose, "chi", lambda self, groups: F(len(groups[0])))
    assert not is_settled("schmutte2020_slides/mose-parallel")


def refit(points, rank):
    """The prediction by numpy's own least squares."""
    x, y = np.array(points, dtype=float).T
    slope, intercept = np.polyfit(x, y, 1)
    return intercept + slope * rank


def refit_sensitivity(points, rank):
    legal = list(itertools.product((0, 0.5, 1), (0, 1)))
    others = [[*points, p] for p in legal]
    others += [[*points[:i], *points[i + 1 :]] for i in range(len(points))]
    return max(abs(refit(other, rank) - refit(points, rank)) for other in others)


@pytest.mark.parametrize(
    ("points", "center", "scale"),
    [
        (groups.FLAT, 0, 1 / 4),
        (groups.FLATTER, 0, 1 / 5),
        (groups.KINK, 1 / 3, 1 / 3),
        (groups.KINK_MORE, 1 / 4, 1 / 4),
        (groups.BENT, 2 / 3, 2 / 3),
    ],
)
def test_centers_and_scales_of_the_counterexamples_by_refitting(points, center, scale):
    assert refit(points, 0.5) == pytest.approx(center, abs=1e-12)
    assert refit_sensitivity(list(points), 0.5) == pytest.approx(scale, abs=1e-12)


def density(x, center, scale):
    return mpmath.exp(-abs(x - center) / scale) / (2 * scale)


def test_the_event_of_local_noise_has_the_stated_probabilities():
    stated = verdict("ls-not-dp").condition
    for scale, shown in ((mpf(1) / 4, "0.000167731"), (mpf(1) / 5, "0.0000226999")):
        mass = mpmath.quad(lambda x, b=scale: density(x, 0, b), [2, 4, 8, mpmath.inf])
        assert float(mass) == pytest.approx(float(shown), rel=1e-5)
    assert "0.00016773131395" in stated
    assert "2.2699964881" in stated


@pytest.mark.few(1)
@pytest.mark.parametrize("people", [3, 5])
@pytest.mark.parametrize("above", [1, 2])
def test_the_delta_of_equal_chi_bounds_the_divergence_by_integration(people, above):
    # χ = 1, ε = 1: scales 1/N and 1/(N+1), the largest change 1/(N+1), and no change.
    wide, narrow = mpf(1) / people, mpf(1) / (people + 1)
    delta = (mpf(people) / (people + 1)) ** people * mpmath.exp(-people * above)
    factor = mpmath.exp(1 + above)
    for change in (0, narrow):
        grid = [mpf(k) / 4 for k in range(-60, 61)]

        def excess(x, change=change):
            return max(density(x, 0, wide) - factor * density(x, change, narrow), mpf(0))

        def other_way(x, change=change):
            return max(density(x, change, narrow) - factor * density(x, 0, wide), mpf(0))

        assert 0 < mpmath.quad(excess, grid) <= delta
        assert mpmath.quad(other_way, grid) == 0


def test_the_stated_delta_at_twenty_people():
    delta = (mpf(20) / 21) ** 20 * mpmath.exp(-20)
    assert mpmath.nstr(delta, 12) == "7.76827122883e-10"
    assert "7.76827122882" in verdict("mose-conditional/same-chi/delta").condition


def test_even_odds_rise_to_the_value_of_eps_8():
    odds = mpmath.exp(8)
    assert abs(mpf(verdict("eps-8").value) - odds) < mpf(10) ** -12
    assert mpmath.nstr(odds / (1 + odds), 4) == "0.9997"


def test_close_ranks_move_a_prediction_far():
    # The example of the repair with a public χ: outcomes 0 at ranks 0, 0, .01, then one more at (.01, 1).
    before = [(0, 0), (0, 0), (0.01, 0)]
    assert refit([*before, (0.01, 1)], 1) - refit(before, 1) == pytest.approx(50)


def test_the_coin_of_the_compositions_has_the_loss_of_its_level():
    yes, no = (laplace_noise.coin(F(3), truth) for truth in (True, False))
    assert likelihood_ratio_bound(yes, no) == 3
    joint = [laplace_noise.jointly([a, a]) for a in (yes, no)]
    assert likelihood_ratio_bound(*joint) == 9


def test_a_tail_below_its_center_is_refused():
    with pytest.raises(ValueError, match="below the center"):
        groups.tail_exponent(F(1), F(1), F(0))
    with pytest.raises(ValueError, match="no line"):
        local_noise.released(groups.FLAT[:2])


def off(formula):
    """The formula times 21/20."""
    return lambda *arguments: formula(*arguments) * 21 / 20


# A fault of 5% in a formula of the specification, and the claims that must notice it.
FAULTS = {
    (local, "change_by_adding"): ["ls-not-dp", "mose-not-dp", "mose-parallel/recomputed"],
    (local, "change_by_removing"): ["mose-conditional/same-chi"],
    (mose, "envelope"): ["mose-parallel", "mose-not-dp", "mose-conditional/recomputed"],
    (releases, "privacy_loss"): ["mose-conditional/public-chi", "mose-repair/public-chi", "eps-8"],
    (umetrics_mose, "mean_local_sensitivity"): ["umetrics-mose/public-chi"],
    (umetrics_mose, "public_chi"): ["umetrics-mose/public-size", "umetrics-mose/total"],
    (umetrics_budget, "privacy_loss"): ["umetrics-budget", "umetrics-budget/universities"],
    (laplace, "cdf"): ["apd", "mose-conditional/same-chi/delta", "mose-repair/tested-bound"],
    (laplace, "log_density"): ["apd", "var-omega", "alg-3/unbiased"],
}


@pytest.mark.few(4)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault[0].__name__}.{fault[1]}")
def test_claims_notice_a_formula_that_is_off_by_5_percent(fault, monkeypatch, is_settled):
    module, name = fault
    assert [label for label in FAULTS[fault] if not is_settled(f"schmutte2020_slides/{label}")] == []
    monkeypatch.setattr(module, name, off(getattr(module, name)))
    assert [label for label in FAULTS[fault] if is_settled(f"schmutte2020_slides/{label}")] == []


def test_a_prediction_that_moves_by_another_share_is_not_half_the_ranks():
    said = laplace_noise.MULTIPLES
    assert symbolic.proves(said).established is True
    assert symbolic.proves(replace(said, left=off(said.left))).established is not True


def test_a_pair_that_is_no_neighbor_is_refuted():
    assert groups.are_neighbors((groups.FLAT,), (groups.FLATTER,)).established is True
    assert groups.are_neighbors((groups.FLAT,), (groups.BENT,)).established is False


@pytest.mark.small_campaign
def test_the_umetrics_claims_notice_neighbors_that_differ_in_less_than_a_history(monkeypatch, is_settled):
    def one_record_only(self, earnings, longest):
        return (history for history in known(self, earnings, longest) if len(history) == 1)

    known = umetrics.Report.histories
    labels = [f"{SOURCE}/umetrics-{name}" for name in ("sens1", "one-pair", "budget", "budget/universities")]
    assert [label for label in labels if not is_settled(label)] == []
    monkeypatch.setattr(umetrics.Report, "histories", one_record_only)
    assert [is_settled(label) for label in labels[:3]] == [False, True, False]
    with pytest.raises(KeyError):
        verdict("umetrics-budget/universities")
