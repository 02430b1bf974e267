"""Several quantiles by a recursive exponential mechanism (after Kaplan, Schnapp and Stemmer 2022).

The middle share is drawn first, with the whole list; then, with what is below and what is at or above the
drawn candidate, the middle shares of each half, between the candidates at their ends; and so on. With m
shares there are ⌈log2(m+1)⌉ levels.

One draw for share p from n earnings takes the candidate y with probability proportional to

    w(y)·e^(−ε_l·u(y)/2),   u(y) = |#{e < y} − p·n|/max(p, 1−p),

over the candidates between two public or already drawn ends; w is a public weight. One individual more
changes #{e < y} − p·n by 1 − p or −p, so u by at most 1: every numerator and the sum that it is divided by
change by at most e^(ε_l/2) each, and the probability by at most e^(ε_l). An individual is in one part of
each level, and given the draws before, the other parts have the same law with and without: a level costs
ε_l, and all levels their sum (sequential composition, adaptive). When one individual's earnings change it
is twice that.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from establish.spec.arithmetic import EXACT, Number, World
from establish.spec.parameters import ParameterError, Rational, probability

Exact = int | Fraction
Drawn = tuple[Exact, ...]
"""One candidate per share, in the order of the shares; it never decreases."""


def levels(shares: int) -> int:
    """How many draws lie on the way to a share: the least k with 2^k > shares, for shares ≥ 1."""
    return shares.bit_length()


def distance(below: Number, size: Number, share: Number, c: World) -> Number:
    """u = |below − share·size|/max(share, 1−share): how far a candidate's rank is from the share's."""
    return c.absolute(below - share * size) / c.maximum(share, 1 - share)


def mass(weight: Number, below: int, size: int, share: Fraction, half: Number, c: World) -> Number:
    """w·e^(−ε_l·u/2), to which a candidate's probability is proportional; half: e^(−ε_l/2)."""
    u = Fraction(distance(below, size, share, EXACT))
    return weight * c.power(half, int(u) if u.denominator == 1 else u)


class QuantileTree:
    """The exact law of that mechanism over candidates, in the world c.

    candidates: increasing. weights: positive, one per candidate. shares: increasing, in (0, 1). half: the
    e^(−ε_l/2) of every level, in (0, 1); with shares 1/4, 1/2, 3/4 all u are whole, so a rational half
    gives rational probabilities. Its privacy loss is levels·ε_l. Raises ParameterError outside that domain.
    """

    def __init__(
        self,
        candidates: Sequence[Exact],
        weights: Sequence[Number],
        shares: Sequence[Rational],
        half: Number,
        c: World,
    ) -> None:
        self.candidates = tuple(candidates)
        self.shares = tuple(probability("share", share) for share in shares)
        for name, values in (("candidates", self.candidates), ("shares", self.shares)):
            if not values or any(a >= b for a, b in pairwise(values)):
                raise ParameterError(f"{name} = {values} must be one or more and increase")
        if len(weights) != len(self.candidates) or not all(weight > 0 for weight in weights):
            raise ParameterError(f"weights = {weights} must be one per candidate, greater than 0")
        if not 0 < half < 1:
            raise ParameterError(f"half = {half} is not allowed: it lies strictly between 0 and 1")
        self.weights, self.half, self.c = tuple(weights), half, c

    def draw(self, earnings: Sequence[Exact], share: Fraction, ends: tuple[int, int]) -> dict[int, Number]:
        """The law of one draw: the probability of each candidate's place from ends[0] to ends[1]."""
        size, masses = len(earnings), {}
        for place in range(ends[0], ends[1] + 1):
            below = sum(value < self.candidates[place] for value in earnings)
            masses[place] = mass(self.weights[place], below, size, share, self.half, self.c)
        total = sum(masses.values())
        return {place: value / total for place, value in masses.items()}

    def output(self, earnings: Sequence[Exact]) -> dict[Drawn, Number]:
        """The probability of every list of candidates that can be drawn."""
        everywhere = (0, len(self.candidates) - 1)
        law = self._part(tuple(earnings), self.shares, everywhere)
        return {tuple(self.candidates[i] for i in places): p for places, p in law.items()}

    def _part(
        self, earnings: Sequence[Exact], shares: Sequence[Fraction], ends: tuple[int, int]
    ) -> dict[tuple[int, ...], Number]:
        if not shares:
            return {(): self.c.number(1)}
        middle = len(shares) // 2
        share = shares[middle]
        law: dict[tuple[int, ...], Number] = {}
        for place, chance in self.draw(earnings, share, ends).items():
            cut = self.candidates[place]
            lower = self._part(
                [e for e in earnings if e < cut], [s / share for s in shares[:middle]], (ends[0], place)
            )
            upper = self._part(
                [e for e in earnings if e >= cut],
                [(s - share) / (1 - share) for s in shares[middle + 1 :]],
                (place, ends[1]),
            )
            for left, p in lower.items():
                for right, q in upper.items():
                    law[(*left, place, *right)] = chance * p * q
        return law
