"""The protected histogram of many cells at once: integer counts with two-sided geometric noise."""

from fractions import Fraction

import numpy as np

from establish.impl.arrays import Floats, Integers
from establish.impl.earnings.bins import Bins
from establish.impl.sampling import laws as sampling
from establish.impl.sampling.bits import Bits
from establish.spec.parameters import ParameterError, Rational, positive

Counts = Integers
"""One row per cell, one column per bin; protected counts may be negative."""

LEAST_EPSILON, MOST_EPSILON = Fraction(1, 10**6), Fraction(1000)
"""Between these the sampler's error bound is verified (establish.proofs_check.certification.sampling);
and noise of 2^40 or more has probability below 2·e^(−10^6), so that sums of counts, and their products
with shares, fit into 64 bits."""


def budget(name: str, value: Rational) -> Fraction:
    """ε, exact. Raises ParameterError outside LEAST_EPSILON ≤ ε ≤ MOST_EPSILON."""
    number = positive(name, value)
    if not LEAST_EPSILON <= number <= MOST_EPSILON:
        raise ParameterError(
            f"{name} = {value} is not allowed: {name} must lie in "
            f"{float(LEAST_EPSILON):g}..{float(MOST_EPSILON):g}"
        )
    return number


def histogram(cells: Integers, earnings: Floats, number: int, bins: Bins) -> Counts:
    """How many of each cell's earnings lie in each bin.

    cells: the cell of each amount, from 0 to number − 1. earnings: dollars, same length.
    """
    width = len(bins)
    places = cells * width + bins.index(earnings)
    return np.bincount(places, minlength=number * width).reshape(number, width).astype(np.int64)


def protected(counts: Counts, epsilon: Fraction, bits: Bits) -> Counts:
    """Counts of any shape, each with an independent integer K, P(K = k) = (1−ρ)/(1+ρ)·ρ^|k|, ρ = e^(−ε).

    ε-private when one record is added or removed, 2ε when it changes (Foote et al. 2019, Definition 2.5). The
    noise has exactly that law, but for |K| > 2^52, which is moved there.
    """
    noise = sampling.two_sided_geometric(epsilon, counts.size, bits)
    return counts + noise.reshape(counts.shape)
