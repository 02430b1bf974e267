"""A staircase law on whole numbers whose steps are as wide as a ladder says; ours.

A ladder Λ is a nondecreasing function on a scale. With c = 1/(e^ε − 1) let

    low(t) = Λ(t) − 1/2 + c·(Λ(t) − Λ(t−1)),   high(t) = Λ(t) + 1/2 − c·(Λ(t+1) − Λ(t)).

Around the center t a number s has the density e^(−εk), k the least whole number ≥ 0 with low(t−k) ≤ s ≤
high(t+k). The masses of the steps telescope, to c·(Λ(t) − Λ(t−1)) below and c·(Λ(t+1) − Λ(t)) above, and the
rest is between. The output is the least whole number o with s ≤ cut(φ(o + 1/2)), where cut is Λ, or more.

This ladder is that of the two-sided geometric law on the side of small counts, and that of the staircase law
on the other. The former has the mass (1−q)/(1+q), q = e^(−ε), in the middle between whole places; the latter
has the density `height` everywhere. From place T on the law turns: T + d has q^d/2 of the former and the rest
of the latter; so it is on the other side of T, with the two exchanged. The flat part of the staircase law
leans to one side, from −r1 to r2, and cut − Λ is what that moves outputs by: its density times (r1 − r2)/2,
times its share.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import floor
from typing import Any, NamedTuple

from establish.spec.arithmetic import MP, Number, World, precision
from establish.spec.distributions.geometric import mass
from establish.spec.distributions.quantile import require_share
from establish.spec.distributions.staircase import height, ratio
from establish.spec.growth_scale import ends, united
from establish.spec.whole_scale import HALF, WholeScale


def receding(power: Number) -> Number:
    """The share of one kind on the side of the other, where e^(−εd) is ``power`` at the distance d of T."""
    return power / 2


Piece = tuple[Number, Number, Number]
"""A value at a whole place, and from there to the next the slope and the jump in the middle."""


def _on_pieces(piece: Callable[[int, World], Piece], t: Number, c: World) -> Number:
    """The nondecreasing function of these pieces at t; of a ball, the ball between its values at the ends."""

    def at(t: Fraction) -> Number:
        j = floor(t)
        start, slope, jump = piece(j, c)
        middle = 1 if t - j > HALF else HALF if t - j == HALF else 0
        return start + slope * c.number(t - j) + jump * c.number(middle)

    low, high = ends(t)
    return at(low) if low == high else at(low).union(at(high))


class Rungs(NamedTuple):
    """Numbers of a ladder. q: e^(−ε). step: the mass of one whole step in the geometric law, (1−q)/(1+q).
    slope: the density of the staircase law on its flat part. excess: (step − slope)/(2(1−q)), of the turn.
    """

    q: Number
    step: Number
    slope: Number
    excess: Number


def excess(step: Number, slope: Number, q: Number) -> Number:
    """(step − slope)/(2(1−q)): how much higher Λ ends than all slope, above the turn."""
    return (step - slope) / 2 / (1 - q)


@lru_cache(maxsize=64)
def _rungs(width: Fraction, epsilon: Fraction, c: Any, bits: tuple[int, int]) -> Rungs:
    """Kept for the world c and ``bits``, its `precision`."""
    q = c.exp(-c.number(epsilon))
    step, slope = mass(0, q, c), height(width, Fraction(0), epsilon, c)
    return Rungs(q, step, slope, excess(step, slope, q))


def start_after(d: Number, power: Number, rungs: Rungs) -> Number:
    """Λ(T + d) for d ≥ 0, power = e^(−εd)."""
    return rungs.slope * d + rungs.excess * (1 - power)


def start_before(d: Number, power: Number, rungs: Rungs) -> Number:
    """Λ(T + d) for d ≤ 0, power = e^(εd)."""
    return rungs.step * d + rungs.excess * (1 - power) * rungs.q


def pieces(
    start: Number, share: Number, share_after: Number, lean: Number, rungs: Rungs
) -> tuple[Piece, Piece]:
    """Those of Λ and of cut from a whole place to the next, where Λ begins at ``start``. share, share_after:
    of the staircase law from this place and from the next.
    """
    rise, jump, leans = share * rungs.slope, (1 - share) * rungs.step, rungs.slope * lean
    return (start, rise, jump), (start + leans * share, rise + leans * (share_after - share), jump)


@dataclass(frozen=True)
class Ladder:
    """Λ with Λ(T) = 0. turn: T. width: r1 + r2, of the flat part of the staircase law. lean: (r1 − r2)/2 ≥ 0,
    or 0. epsilon: ε > 0.
    """

    turn: int
    width: Fraction
    lean: Fraction
    epsilon: Fraction

    def rungs(self, c: Any) -> Rungs:
        """Its numbers in the world c."""
        return _rungs(self.width, self.epsilon, c, precision())

    def at(self, t: Number, c: World) -> Number:
        """Λ(t); of a ball, the ball between the values at its ends."""
        return _on_pieces(self.piece, t, c)

    def cut(self, t: Number, c: World) -> Number:
        """cut(t): continuous where Λ is."""
        return _on_pieces(self.cut_piece, t, c)

    def piece(self, j: int, c: Any) -> Piece:
        """Λ(j), and from there to j + 1 the slope and the jump in the middle."""
        return _pieces(self, j, c, precision())[0]

    def cut_piece(self, j: int, c: Any) -> Piece:
        """The same for cut."""
        return _pieces(self, j, c, precision())[1]

    def share(self, j: int, c: World) -> Number:
        """How much of the staircase law there is from j to j + 1."""
        power = self.power(j - self.turn, c)
        return 1 - receding(power) if j >= self.turn else receding(power)

    def power(self, d: int, c: World) -> Number:
        """e^(−ε|d|)."""
        return c.exp(-c.number(self.epsilon) * abs(d))

    def place(self, x: Number) -> Number:
        """The t with cut(t) = x, to 50 digits."""
        step, slope = self.rungs(MP)[1:3]
        j = self.turn + floor(ends(x / (slope if x > 0 else step))[0])
        while self.cut_piece(j, MP)[0] > x:
            j -= 1
        while self.cut_piece(j + 1, MP)[0] <= x:
            j += 1
        start, slope, jump = self.cut_piece(j, MP)
        over = x - start
        if over > slope / 2:
            over = max(slope / 2, over - jump)
        return j + over / slope


@lru_cache(maxsize=4096)
def _pieces(ladder: Ladder, j: int, c: Any, bits: tuple[int, int]) -> tuple[Piece, Piece]:
    """Those of Λ and of cut, kept as `_rungs` are."""
    rungs, d = ladder.rungs(c), j - ladder.turn
    start = (start_after if d >= 0 else start_before)(d, ladder.power(d, c), rungs)
    return pieces(start, ladder.share(j, c), ladder.share(j + 1, c), c.number(ladder.lean), rungs)


@dataclass(frozen=True)
class WholeStaircase:
    """The law around ``center``, a place on the scale, in the world c. Support: all whole numbers."""

    center: Number
    ladder: Ladder
    scale: WholeScale
    c: World = MP

    def tails(self, o: int) -> tuple[Number, Number]:
        """P(output ≤ o) and P(output > o), each computed on its own where it is less than a step's mass."""
        return self._kept_tails(o, precision())

    @cached_property
    def _kept_tails(self) -> Callable[[int, tuple[int, int]], tuple[Number, Number]]:
        """The tails, kept as `_rungs` are: the masses of neighboring outputs share one."""
        return lru_cache(maxsize=4096)(lambda o, bits: self._tails(o))

    def _tails(self, o: int) -> tuple[Number, Number]:
        s = self.ladder.cut(self.scale.at(o + HALF, self.c), self.c)
        below, above = self._steps(-1, s), self._steps(1, s)
        if above == range(1):
            tail = united([self._tail(-1, k, s) for k in below])
            return tail, 1 - tail
        if below == range(1):
            tail = united([self._tail(1, k, s) for k in above])
            return 1 - tail, tail
        tail = united([self._tail(-1, k, s) for k in below] + [1 - self._tail(1, k, s) for k in above])
        return tail, 1 - tail

    def mass(self, o: int) -> Number:
        """P(output = o)."""
        (less, more), (below, above) = self.tails(o - 1), self.tails(o)
        return below - less if below < self.c.number(HALF) else more - above

    def cdf(self, x: Number) -> Number:
        """P(output ≤ x)."""
        return self.tails(floor(x))[0]

    def quantile(self, p: Number) -> int:
        """The least o with P(output ≤ o) ≥ p. Raises ParameterError unless 0 < p < 1."""
        require_share(p)
        reach = 1
        while not (self.cdf(-reach) < p <= self.cdf(reach)):
            reach *= 2
        low, high = -reach, reach
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.cdf(middle) >= p else (middle, high)
        return high

    @cached_property
    def _rung(self) -> Callable[[int, tuple[int, int]], Number]:
        """Λ so many steps from the center, kept as `_rungs` are."""
        return lru_cache(maxsize=4096)(lambda k, bits: self.ladder.at(self.center + k, self.c))

    def _tail(self, side: int, k: int, s: Number) -> Number:
        """The mass beyond s on one side, below or above, where s is on step k there."""
        c, place = self.c, self._rung(side * k, precision())
        return c.exp(-c.number(self.ladder.epsilon) * k) * (c.number(HALF) - side * (s - place))

    def _room(self, side: int, k: int, s: Number) -> Number:
        """How far within k steps on this side s lies, at least 0 where it does."""
        place, further = (self._rung(side * (k + d), precision()) for d in (0, 1))
        drop = side * (further - place) * ratio(self.ladder.epsilon, self.c)
        return self.c.number(HALF) - side * (s - place) - drop

    def _reached(self, side: int, k: int, s: Number) -> bool | None:
        """Whether s lies within k steps on this side; None where a ball leaves it open."""
        room = self._room(side, k, s)
        return True if room >= 0 else False if room < 0 else None

    def _steps(self, side: int, s: Number) -> range:
        """On which step s may lie, counted to this side: one number, unless a ball leaves it open."""
        if self._reached(side, 0, s):
            return range(1)
        high = 1
        while not self._reached(side, high, s):
            high *= 2
        low = high // 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self._reached(side, middle, s) else (middle, high)
        first = high
        while first and self._reached(side, first - 1, s) is not False:
            first -= 1
        return range(first, high + 1)
