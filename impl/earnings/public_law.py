"""A public law of earnings in whole numbers, so that the weight of any range is known exactly."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from establish.impl.arrays import Floats, Integers
from establish.impl.earnings.bins import BOTTOM, RECOVERED_MEAN, RECOVERED_SD, TOP

PLACES = 2**12
"""How many places there are in a cent: earnings of one cent are spread over them, so that few coincide."""

PER_DOLLAR = 100 * PLACES

PIECES = 256
"""Between BOTTOM and TOP the density is constant on so many pieces, each 1.6% above the one before."""


class PublicLaw:
    """Whole places in (knots[0], knots[-1]], with whole weights that are constant between two knots.

    knots: increasing. weights: one per piece, at least 1, at most 2^52 in all.
    """

    def __init__(self, knots: Integers, weights: Integers) -> None:
        self.knots, self.weights = knots, weights
        self.at_knots = np.concatenate([[0], np.cumsum(np.diff(knots) * weights)])

    @classmethod
    def log_normal(cls) -> PublicLaw:
        """The recovered log-normal law between BOTTOM and TOP; densities up to 2^15 per place, rounded."""
        from scipy.special import ndtr  # loaded where such a law is needed

        knots = np.rint(np.geomspace(BOTTOM, TOP, PIECES + 1) * 100).astype(np.int64) * PLACES
        below = ndtr((np.log(knots / PER_DOLLAR) - RECOVERED_MEAN) / RECOVERED_SD)
        density = np.diff(below) / np.diff(knots)
        weights = np.rint(density / density.max() * 2**15).astype(np.int64)
        return cls(knots, np.maximum(weights, 1))

    @property
    def whole(self) -> int:
        """The weight of all places."""
        return int(self.at_knots[-1])

    def through(self, places: Integers) -> Integers:
        """The weight of the places up to and with these, which lie within the knots."""
        piece = np.clip(np.searchsorted(self.knots, places, side="left") - 1, 0, None)
        found: Integers = self.at_knots[piece] + (places - self.knots[piece]) * self.weights[piece]
        return found

    def place_at(self, weight: int) -> int:
        """The place y with through(y − 1) ≤ weight < through(y), for 0 ≤ weight < whole."""
        piece = int(np.searchsorted(self.at_knots, weight, side="right")) - 1
        beyond = weight - int(self.at_knots[piece])
        return int(self.knots[piece]) + 1 + beyond // int(self.weights[piece])

    def places(self, earnings: Floats, spread: NDArray[np.uint64]) -> Integers:
        """A place within each amount's cent, by 12 of the bits of ``spread``; kept within the knots."""
        low, high = (int(end) // PLACES for end in self.knots[[0, -1]])
        cents = np.clip(np.rint(earnings * 100), low, high).astype(np.int64)
        within = (spread & np.uint64(PLACES - 1)).astype(np.int64)
        found: Integers = np.minimum(cents * PLACES + within, int(self.knots[-1]))
        return found


def dollars(place: int) -> float:
    """The whole cent of a place."""
    return math.floor(place / PLACES) / 100
