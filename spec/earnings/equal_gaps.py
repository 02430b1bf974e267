"""Several quantiles and the number of individuals in one draw, by how equal the gaps between them are.

A percentile with share p has the rank p·(N+1): where that is not whole, ⌊p·(N+1)⌋ individuals are below it,
and where it is, one fewer or as many, for which 1/2 fewer stands. For a total T instead of N these are the
aims of p_1 < … < p_m; the m + 1 gaps between neighboring percentiles aim at their differences t_j, which add
up to T. Candidates y_1 ≤ … ≤ y_m cut the earnings of a cell into m + 1 counts n_j, those below y_1,
those from y_1 on and below y_2, and so on. A total T and candidates are drawn together, with probability
proportional to

    W(y)·e^(−ε·u/2),   u(T, y) = Σ_j |n_j − t_j|.

W is the public law of m independent candidates, put in order: Π w(y_i) over the factorials of how often each
candidate occurs. T is one of a public list of totals.

One individual more changes one n_j by 1, so every u by at most 1: numerators and the sum that they are
divided by change by a factor of at most e^(ε/2) each, the probability by at most e^ε. The total comes for
nothing: with continuous earnings the m + 1 differences n_j − t_j are independent Laplace variables of scale
2/ε, and T is off by their sum. After Gillenwater, Joseph and Kulesza 2021 (JointExp), who hold the total
fixed at its true value: there one individual more moves the aims of all gaps, and the exponent is smaller.
"""

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise

from establish.spec.arithmetic import EXACT, Number, World
from establish.spec.parameters import ParameterError, Rational, probability

Exact = int | Fraction
Drawn = tuple[int, tuple[Exact, ...]]
"""A total, and one candidate per share, which never decrease."""


def below(share: Fraction, total: int) -> Fraction:
    """How many of ``total`` individuals should earn less than the percentile, a multiple of 1/2."""
    rank = share * (total + 1)
    return rank - Fraction(1, 2) if rank.denominator == 1 else Fraction(math.floor(rank))


def aims(shares: Sequence[Fraction], total: int) -> tuple[Fraction, ...]:
    """t_1, …, t_{m+1}."""
    ends = (Fraction(0), *(below(share, total) for share in shares), Fraction(total))
    return tuple(high - low for low, high in pairwise(ends))


def miss(count: Number, aim: Number, c: World) -> Number:
    """|n − t|: how far a gap's count is from its aim."""
    return c.absolute(count - aim)


def counts(earnings: Sequence[Exact], candidates: Sequence[Exact]) -> tuple[int, ...]:
    """n_1, …, n_{m+1} for candidates in order."""
    less = [sum(value < y for value in earnings) for y in candidates]
    return tuple(high - low for low, high in pairwise((0, *less, len(earnings))))


class EqualGaps:
    """The exact law of that mechanism over candidates and totals, in the world c.

    candidates: increasing. weights: positive, one per candidate. shares: increasing, in (0, 1). totals:
    different whole numbers ≥ 0. half: e^(−ε/2) in (0, 1). Its privacy loss is ε when one individual is added
    or removed. Raises ParameterError outside that domain.
    """

    def __init__(
        self,
        candidates: Sequence[Exact],
        weights: Sequence[Number],
        shares: Sequence[Rational],
        totals: Sequence[int],
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
        if not totals or len(set(totals)) < len(totals) or min(totals) < 0:
            raise ParameterError(f"totals = {totals} must be one or more different ones, 0 or more")
        if not 0 < half < 1:
            raise ParameterError(f"half = {half} is not allowed: it lies strictly between 0 and 1")
        self.weights, self.totals, self.half, self.c = tuple(weights), tuple(totals), half, c

    def score(self, earnings: Sequence[Exact], total: int, chosen: Sequence[Exact]) -> Fraction:
        """u(T, y)."""
        pairs = zip(counts(earnings, chosen), aims(self.shares, total), strict=True)
        return sum((Fraction(miss(n, t, EXACT)) for n, t in pairs), Fraction(0))

    def public(self, places: Sequence[int]) -> Number:
        """W of the candidates at these places, which never decrease."""
        repeated = math.prod(math.factorial(times) for times in Counter(places).values())
        return math.prod((self.weights[place] for place in places), start=self.c.number(1)) / repeated

    def output(self, earnings: Sequence[Exact]) -> dict[Drawn, Number]:
        """The probability of every total with every list of candidates."""
        masses: dict[Drawn, Number] = {}
        every = range(len(self.candidates))
        for places in combinations_with_replacement(every, len(self.shares)):
            chosen, weight = tuple(self.candidates[i] for i in places), self.public(places)
            for total in self.totals:
                u = self.score(earnings, total, chosen)
                power = self.c.power(self.half, int(u) if u.denominator == 1 else u)
                masses[total, chosen] = weight * power
        whole = sum(masses.values())
        return {drawn: mass / whole for drawn, mass in masses.items()}
