"""What the white box does not read is refused by name, and what takes too long is told."""

import time

import pytest

from establish.proofs_check.audit import audit, dp
from establish.proofs_check.audit.white.white_box import certify
from establish.spec.distributions.laplace import Laplace
from establish.spec.parameters import ParameterError
from tests.proofs_check.audit.lawful import Lawful, laplace


def test_without_a_law_there_is_no_white_box():
    with pytest.raises(ParameterError, match="law"):
        certify(lambda d, rng: 0.0, dp(1), 3)


def test_a_law_of_no_known_kind_is_refused_by_name():
    with pytest.raises(ParameterError, match="the law str"):
        certify(Lawful(lambda n, c: "noise"), dp(1), 3)


def test_a_universe_without_neighbors_is_refused():
    with pytest.raises(ParameterError, match="no neighbors"):
        certify(laplace(1), dp(1), 0)


class SlowLaw:
    """A Laplace count whose law takes a while to read."""

    def law(self, n, c):
        time.sleep(0.05)
        return Laplace(c.number(n), c.number(1), c)


def test_time_binds_the_white_box_which_says_what_is_settled():
    shares = []
    start = time.monotonic()
    result = audit(SlowLaw(), dp(1), universe=50, seconds=0.6, progress=shares.append)
    assert time.monotonic() - start < 5
    assert result.outcome == "no_violation_found", "no certificate without the last pair"
    assert result.pairs_tried < result.pairs_listed == 50
    assert any("limit of 0.6 s" in note and "of 50 pairs are decided" in note for note in result.notes)
    assert result.caution
    assert shares == sorted(shares)
    assert shares


def test_one_pair_that_takes_too_long_is_interrupted():
    class Endless:
        def law(self, n, c):
            time.sleep(30 if n > 3 else 0)
            return Laplace(c.number(n), c.number(1), c)

    start = time.monotonic()
    result = audit(Endless(), dp(1), universe=50, seconds=0.5)
    assert time.monotonic() - start < 5
    assert 0 < result.pairs_tried < 50


def test_a_violation_that_was_found_in_time_is_reported_when_time_ends():
    assert audit(SlowLaw(), dp("1/2"), universe=50, seconds=1.0).violated


def test_a_law_that_raises_is_told_with_its_dataset():
    with pytest.raises(ParameterError, match=r"law raised TypeError on 0: .*not of this number system"):
        audit(Lawful(lambda n, c: Laplace(c.number(n), c.number("1/2"), c)), dp(1))
