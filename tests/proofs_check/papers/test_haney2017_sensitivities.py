"""Sensitivities, exact records and unbiasedness in Haney et al. 2017: by hand, and faults to notice."""

from fractions import Fraction as F

import pytest

from establish import Outcome, SizeUniverse
from establish.proofs_check.engine.register import claims
from establish.proofs_check.papers.haney2017 import sensitivity
from establish.spec.distributions import laplace
from establish.spec.indistinguishability import hockey_stick
from establish.spec.relations.strong import Strong


def verdict(label):
    return claims()[f"haney2017/{label}"].check()


# α = 1/10: 10, 20, 30 workers may be joined by 1, 2, 3, so no local sensitivity is the largest.
def test_the_global_sensitivity_of_a_count_is_no_maximum():
    relation = Strong(SizeUniverse(1, 34), F(1, 10))
    found = [sensitivity.local_sensitivity(sum, relation, (size,)) for size in (10, 20, 30)]
    assert found == [1, 2, 3]
    assert verdict("def-8.1-global").outcome is Outcome.HOLDS


@pytest.mark.parametrize("label", ["def-8.1", "sec8.1-gs"])
def test_a_local_sensitivity_that_is_too_large_is_noticed(label, monkeypatch, is_settled):
    known = sensitivity.local_sensitivity
    assert is_settled(f"haney2017/{label}")
    monkeypatch.setattr(sensitivity, "local_sensitivity", lambda *given: 2 * known(*given))
    assert not is_settled(f"haney2017/{label}")


# With probability δ = 3/n the whole table, else nothing: all n records, and no event gains more than δ.
@pytest.mark.parametrize("n", [4, 7])
def test_a_whole_table_may_be_published_with_a_small_probability(n):
    delta = F(3, n)
    more, less = ({"nothing": 1 - delta, "abcdefg"[:size]: delta} for size in (n, n - 1))
    assert hockey_stick(more, less, 1) == hockey_stick(less, more, 1) == delta
    assert verdict("def-2.2-omega").outcome is Outcome.ILL_POSED


@pytest.mark.small_campaign
def test_tilted_noise_is_not_unbiased(monkeypatch, is_settled):
    known = laplace.log_density
    assert is_settled("haney2017/lemma-9.3")
    monkeypatch.setattr(laplace, "log_density", lambda z, *rest: known(z, *rest) + z / 20)
    assert not is_settled("haney2017/lemma-9.3")
