"""The claims on ER-EE privacy of the slides: levels by hand, and faults that they must notice."""

import math

import pytest

from establish.proofs_check.engine.register import claims
from establish.proofs_check.engine.verdicts import Outcome
from establish.proofs_check.papers.schmutte2020_slides import definitions
from establish.spec.distributions import heavy_tailed, laplace


def verdict(label):
    return claims()[f"schmutte2020_slides/{label}"].check()


def test_the_condition_of_definition_4_2_names_no_size(monkeypatch, is_settled):
    assert verdict("def-4.2").outcome is Outcome.MISPRINT
    monkeypatch.setattr(definitions, "place_of", lambda d, worker: 1)
    assert not is_settled("schmutte2020_slides/def-4.2")


# A worker's move from one employer to another is two neighbors, leaving and joining: level 2ε, not ε.
def test_the_worker_requirement_is_met_at_twice_the_level_only():
    assert verdict("worker-requirement").outcome is Outcome.HOLDS
    assert verdict("worker-requirement").value == "2ε"
    assert verdict("worker-requirement/same-level").outcome is Outcome.FAILS


def test_strong_neighbors_with_inclusion_notice_another_bound_on_growth(monkeypatch, is_settled):
    assert is_settled("schmutte2020_slides/strong-neighbors")
    monkeypatch.setattr(definitions, "may_grow", lambda x, y, alpha: x <= y <= x + 1)
    assert not is_settled("schmutte2020_slides/strong-neighbors")


@pytest.mark.small_campaign
@pytest.mark.parametrize(
    ("module", "label", "tilt"),
    [
        (heavy_tailed, "alg-2/unbiased", lambda z: z / (20 + z * z)),  # its tails bear no more
        (laplace, "alg-3/unbiased", lambda z: z / 20),
    ],
)
def test_a_tilted_density_is_not_unbiased(module, label, tilt, monkeypatch, is_settled):
    known = module.log_density
    assert is_settled(f"schmutte2020_slides/{label}")
    monkeypatch.setattr(module, "log_density", lambda z, *rest: known(z, *rest) + tilt(z))
    assert not is_settled(f"schmutte2020_slides/{label}")


@pytest.mark.parametrize(("b", "bounded"), [(0.09, False), (math.log(1.1), True)])
def test_no_finite_smooth_bound_exists_below_the_growth_rate(b, bounded):
    # α = 1/10. S(100) is at least e^(−bj)·LS after j largest hires; e^b = 1.1 keeps that at most α·100.
    size, needed = 100, 0.0
    for j in range(2000):
        needed = max(needed, math.exp(-b * j) * (size // 10))
        size += size // 10
    assert (needed <= 10) is bounded
    assert (needed > 1000) is not bounded
