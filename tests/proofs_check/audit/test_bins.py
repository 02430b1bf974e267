"""The events that bins give, in both directions, have the scores of the shares that they hold."""

from fractions import Fraction

import numpy as np
import pytest

from establish.proofs_check.audit.black.bins import events
from establish.proofs_check.audit.black.features import coordinate
from establish.proofs_check.audit.question.level import Approximate, Gaussian

N = 3_000
FEATURE = coordinate(0, 1)
LEVELS = (Approximate(Fraction(1)), Approximate(Fraction(1, 2), Fraction(1, 50)), Gaussian(Fraction(1)))


def drawn(kind):
    rng = np.random.default_rng(3)
    first, second = rng.laplace(0, 1, N), rng.laplace(1, 2, N)
    if kind == "whole numbers":
        return np.round(first), np.round(second)
    if kind == "an atom":
        return np.where(first > 1, 0.5, first), np.where(second > 2, 0.5, second)
    return first, second


@pytest.mark.parametrize("level", LEVELS, ids=str)
@pytest.mark.parametrize("kind", ["reals", "whole numbers", "an atom"])
def test_every_score_is_that_of_the_shares_of_the_event(kind, level):
    first, second = drawn(kind)
    there, back = events(FEATURE, first, second, level)
    for found, (p, q) in ((there, (first, second)), (back, (second, first))):
        assert len(found) > 3
        for score, event in found:
            held = [np.array(event.holds(side[:, None]).mean()) for side in (p, q)]
            assert score == pytest.approx(float(level.score(*held, N)), rel=1e-9, abs=1e-9), event


@pytest.mark.parametrize("kind", ["reals", "whole numbers", "an atom"])
def test_the_other_direction_is_that_of_the_laws_exchanged(kind):
    first, second = drawn(kind)
    there, back = events(FEATURE, first, second, LEVELS[0])
    assert events(FEATURE, second, first, LEVELS[0]) == (back, there)
