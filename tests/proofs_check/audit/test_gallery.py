"""The gallery: every fault is one, every correct mechanism is entered with its reason, and the audit
tells them apart."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from establish.proofs_check.audit import AuditOutcome, audit, dp, strong_er_ee
from establish.proofs_check.audit.gallery import ENTRIES
from establish.proofs_check.audit.gallery import entry as shelf
from establish.proofs_check.audit.gallery.calibration_faults import LOG_STEP
from establish.proofs_check.audit.gallery.scale_faults import SMOOTH_GAMMA_LEAST
from establish.proofs_check.audit.selftest import Score, SelfTest, chosen, measure, report
from establish.proofs_check.audit.white.white_box import certify
from establish.spec.distributions.heavy_tailed import HeavyTailed
from establish.spec.relations.universes import SizeUniverse

FAULTS = {name: entry for name, entry in ENTRIES.items() if not entry.correct}
CORRECT = {name: entry for name, entry in ENTRIES.items() if entry.correct}

KINDS = {
    "scale too small",
    "shift missing or too small",
    "wrong sensitivity",
    "smooth sensitivity",
    "ε halves swapped",
    "budget not counted",
    "one draw for two outputs",
    "noise scale exported",
    "lattice that depends on the data",
    "zero cells left exact",
    "seed reused",
    "rounding before noise",
    "bin edge from the data",
    "parallel composition over workers",
    "noise correlated between cells",
}
"""The kinds of fault that occur in practice; the gallery may have more."""


def test_there_are_enough_of_both():
    assert len(FAULTS) >= 60
    assert len(CORRECT) >= 40
    assert {entry.kind for entry in FAULTS.values()} >= KINDS
    sizes = Counter(entry.size for entry in FAULTS.values())
    assert min(sizes[size] for size in ("5%", "10%", "50%")) >= 8
    assert sizes["large"] >= 50


@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_says_why_in_a_line(name):
    why = ENTRIES[name].why
    assert 0 < len(why) <= 110, why
    assert "\n" not in why


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_shows_at_neighbors(name):
    entry = FAULTS[name]
    assert entry.definition.related(*entry.at)
    assert entry.definition.related(*reversed(entry.at))


@pytest.mark.parametrize("name", ENTRIES)
def test_one_output_and_many_have_the_same_shape_and_no_nan(name):
    entry = ENTRIES[name]
    for dataset in entry.at or next(entry.definition.pairs(10)):
        many = np.asarray(entry.mechanism.sample(dataset, 7, np.random.default_rng(1)), dtype=float)
        one = np.asarray(entry.mechanism(dataset, np.random.default_rng(1)), dtype=float)
        assert many.shape == (7, *one.shape)
        assert np.isfinite(many).all()
        assert np.isfinite(one).all()


def test_two_entries_of_one_name_are_refused():
    with pytest.raises(ValueError, match="two entries"):
        shelf.correct(next(iter(ENTRIES)), "kind", dp(1), "why")(lambda d, size, rng: None)


def test_a_fault_of_unknown_size_is_refused():
    with pytest.raises(ValueError, match="7%"):
        shelf.fault("new", "kind", dp(1), (0, 1), size="7%")


class SmoothGamma:
    """The law of the gallery's smooth gamma with a given multiplier of S."""

    def __init__(self, multiplier):
        self.multiplier = Fraction(multiplier)

    def law(self, sizes, c):
        smooth = max(Fraction(max(sizes), 10), Fraction(1))
        return HeavyTailed(c.number(sum(sizes)), c.number(self.multiplier * smooth), 4, c)


@pytest.mark.small_campaign
@pytest.mark.parametrize("share", [0.95, 0.9, 0.5])
def test_the_white_box_confirms_the_smooth_gamma_faults(share):
    fault = SmoothGamma(share * SMOOTH_GAMMA_LEAST)
    result = certify(fault, strong_er_ee("1/10", 2), SizeUniverse(1, 12))
    assert result.outcome is AuditOutcome.VIOLATED


@pytest.mark.small_campaign
def test_the_white_box_certifies_the_least_smooth_gamma():
    enough = SmoothGamma(SMOOTH_GAMMA_LEAST * (1 + 1e-7))
    result = certify(enough, strong_er_ee("1/10", 2), SizeUniverse(1, 12))
    assert result.outcome is AuditOutcome.CERTIFIED_IN_RANGE


@pytest.mark.small_campaign
def test_the_white_box_confirms_the_swapped_budgets():
    multiplier = 3**0.75 / (3 * LOG_STEP)
    result = certify(SmoothGamma(multiplier), strong_er_ee("1/10", "3/10"), SizeUniverse(1, 12))
    assert result.outcome is AuditOutcome.VIOLATED


def audited(entry):
    """With a number of outputs that leaves the time limit far away, so that the seed decides."""
    return audit(entry.mechanism, entry.definition, samples=200_000, seconds=120, seed=2017)


EVIDENT = [
    "Laplace, scale 50% too small",
    "geometric, scale 50% too small",
    "log-Laplace, scale 50% too small",
    "Gaussian GEDP, scale 50% too small",
    "log-Laplace with shift 1",
    "two Laplace releases",
    "the same draw for n and 2n",
    "smooth gamma without max(·, 1)",
    "noise in steps of two",
    "Laplace for positive counts",
    "noise infusion by factors",
    "cells whose noise cancels in the sum",
]
QUIET = [
    "Laplace at ε = 1",
    "geometric at ε = 1",
    "histogram, substitution",
    "clipping at zero after the noise",
    "log-Laplace tight at α = 1/10, ε = 2",
    "smooth gamma tight at α = 1/10, ε = 2",
    "smooth Laplace at α = 1, ε = 2",
    "√ with deviation 1",
]


@pytest.mark.few(6)
@pytest.mark.parametrize("name", EVIDENT)
def test_an_evident_fault_is_found(name):
    result = audited(ENTRIES[name])
    assert result.violated
    assert ENTRIES[name].definition.related(*result.pair)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.small_campaign] * (name != QUIET[0])) for name in QUIET]
)
def test_a_correct_mechanism_raises_no_alarm(name):
    assert not audited(ENTRIES[name]).violated


def test_the_quick_self_test_has_every_kind():
    names = chosen(quick=True)
    assert {ENTRIES[name].kind for name in names} == {entry.kind for entry in ENTRIES.values()}
    assert len(names) < len(ENTRIES) / 2
    assert chosen(quick=False) == list(ENTRIES)


def test_the_score_tells_a_miss_from_a_false_alarm():
    def scored(size, violated):
        return Score("name", "kind", size, violated, 1.0, 10, "(0, 1): output ≥ 1")

    good = SelfTest((scored("large", True), scored("5%", False), scored("", False)), 1.0)
    assert good.passed
    assert good.rate("5%") == (0, 1)
    missed = SelfTest((scored("large", False),), 1.0)
    alarmed = SelfTest((scored("", True),), 1.0)
    assert not missed.passed
    assert not alarmed.passed
    assert "missed, large: name" in report(missed)
    assert "false alarms: 1 in 1" in report(alarmed)
    assert "false alarm: name: (0, 1)" in report(alarmed)
    assert "self-test passed" in report(good)


def test_the_self_test_runs_by_name_and_tells_of_each_entry():
    seen = []
    names = ["randomized response, scale 50% too small", "a constant"]
    test = measure(quick=True, names=names, each=seen.append)
    assert [score.name for score in seen] == names
    assert [score.violated for score in test.scores] == [True, False]
    assert test.passed
