"""The campaign of audits of correct mechanisms, in small; and that it would see an alarm."""

import pytest

from establish.proofs_check.audit import alarms, dp
from establish.proofs_check.audit.gallery import ENTRIES
from establish.proofs_check.audit.gallery import entry as shelf


@pytest.mark.small_campaign
def test_no_correct_mechanism_is_accused_in_a_small_campaign():
    # Each audit is wrong with probability at most 1e-9; the seeds are fixed.
    assert alarms.alarms(40, outputs=4000) == []


def test_an_entry_that_is_wrongly_called_correct_is_accused_with_pair_and_seed(monkeypatch):
    wrong = shelf.Entry(
        "no noise", "kind", dp(1), shelf.Drawn(lambda d, size, rng: [float(d)] * size), "why"
    )
    monkeypatch.setattr(alarms, "ENTRIES", {"no noise": wrong})
    (said,) = alarms.alarms(1, outputs=4000)
    assert said.startswith("no noise, seed 0: ")


@pytest.mark.parametrize("name", ["Laplace, scale 50% too small", "two Laplace releases"])
def test_the_outputs_of_a_fault_are_counted(name):
    assert 1000 < (alarms.outputs_until_found(name) or 0) < alarms.ENOUGH
    assert name in ENTRIES


def test_a_miss_counts_as_infinitely_many_outputs(monkeypatch):
    monkeypatch.setattr(alarms, "outputs_until_found", {"a": 10, "b": None, "c": 30}.get)
    assert alarms.median_outputs(["a", "b", "c"]) == (30.0, 2)
