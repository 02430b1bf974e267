"""What the white box does not read is refused by name, and what takes too long is told."""

import time

import pytest

from establish.proofs_check.audit import audit, dp
from establish.proofs_check.audit.white.white_box import certify
from establish.spec.distributions.laplace import Laplace
from establish.spec.parameters import ParameterError
from tests.proofs_check.audit.lawful import Lawful, laplace


@pytest.mark.parametrize(
    ("mechanism", "largest", "told"),
    [
        (lambda d, rng: 0.0, 3, "law"),
        (Lawful(lambda n, c: "noise"), 3, "the law str"),
        (laplace(1), 0, "no neighbors"),
    ],
    ids=["no law", "a law of no known kind", "a universe without neighbors"],
)
def test_what_has_nothing_to_certify_is_refused_by_name(mechanism, largest, told):
    with pytest.raises(ParameterError, match=told):
        certify(mechanism, dp(1), largest)


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
