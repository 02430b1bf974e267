"""Noise of the discrete Gaussian: each draw is the quantile of the law at its word."""

from fractions import Fraction

import numpy as np
import pytest

from establish.impl.sampling.bits import Bits
from establish.impl.sampling.discrete_gaussian import discrete_gaussian, thresholds
from establish.impl.sampling.grid import REACH
from establish.proofs_check.certification.decided import Decider
from establish.spec.mechanisms.discrete_gaussian import DiscreteGaussianMechanism
from establish.spec.parameters import ParameterError

SQUARES = (Fraction(1, 100), Fraction(1, 3), Fraction(4), Fraction(169))


def decided(square, words, drawn):
    specified = Decider(DiscreteGaussianMechanism(1 / (2 * square)), cut=False)
    return all(
        specified.is_drawn((0, 0, word, int(k))) for word, k in zip(words.tolist(), drawn, strict=True)
    )


@pytest.mark.parametrize("square", SQUARES)
def test_each_draw_is_the_quantile_at_its_word_also_beside_the_numbers_of_the_list(planted, square):
    _, known = thresholds(square)
    inner = [int(one) for one in known if 0 < one < 2**64 - 1][:40]
    words = np.array(
        [0, 1, 2**63, 2**64 - 2, 2**64 - 1, *(w + d for w in inner for d in (-1, 0, 1))], np.uint64
    )
    assert decided(square, words, discrete_gaussian(square, words.size, planted(words)))


def test_a_draw_that_is_off_by_one_is_not_the_quantile(planted):
    words = Bits.seeded(1).words(20)
    drawn = discrete_gaussian(Fraction(4), 20, planted(words))
    assert decided(Fraction(4), words, drawn)
    for by in (-1, 1):
        assert not any(decided(Fraction(4), words[[j]], drawn[[j]] + by) for j in range(20))


def test_the_list_is_that_of_the_law():
    start, known = thresholds(Fraction(4))
    law = DiscreteGaussianMechanism(Fraction(1, 8)).output((0,))
    for place in range(0, known.size, 5):
        assert int(known[place]) == int(law.cdf(start + place) * 2**64)


@pytest.mark.parametrize("square", [Fraction(0), Fraction(-1), Fraction(500_001)])
def test_a_parameter_without_a_list_is_refused(square):
    with pytest.raises(ParameterError, match="must be from 0 to 500000"):
        discrete_gaussian(square, 1, Bits.seeded(1))


def test_counts_at_the_end_stay_there():
    from establish.impl.mechanisms.discrete_gaussian import DiscreteGaussian

    assert DiscreteGaussian("1/200").release(np.full(50, 2**52), Bits.seeded(3)).max() == REACH
