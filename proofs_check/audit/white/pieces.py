"""The outputs of two laws, cut into pieces on which both log-densities are analytic."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from establish.proofs_check.audit.white.laws import NotComparableError, Reading, Tail
from establish.proofs_check.audit.white.pair import Pair, Pick, first_break, second_break
from establish.proofs_check.engine.methods.enclosure import Function, Side
from establish.spec.arithmetic import ARB, Number, World


@dataclass(frozen=True)
class Piece:
    """A stretch of outputs with parameter s in ``box``; side 0 for a finite one, ±1 for a tail.

    loss(c, s): ln p − ln q at s. For a tail s = 0 is infinity and the loss leaves out its growing
    part, whose coefficients are ``growth``; ``loss`` is None when a tail is unknown.
    place(s): the output, in the chart. ends: the two ends as Picks, None for infinity.
    above: how many breaks of either law lie at or below the piece. tails: of both laws, where known.
    """

    loss: Function | None
    box: Side
    place: Callable[[Number], Number]
    side: int
    ends: tuple[Pick | None, Pick | None]
    above: tuple[int, int]
    growth: tuple[Pick, Pick, Pick] | None = None
    tails: tuple[Tail, Tail] | None = None

    def log_ratio(self, p: Reading, q: Reading, x: Number) -> Number:
        """ln p − ln q of the continuous parts at x, without their weights, in their world."""
        return p.log_density(x, self.above[0]) - q.log_density(x, self.above[1])


def pieces(pair: Pair) -> Iterator[Piece]:
    """All of the common support of the continuous parts, ends included."""
    p = pair.p
    low: Pick | None = None if p.low is None else lambda p, _: p.low
    high: Pick | None = None if p.high is None else lambda p, _: p.high
    middle = pair.breaks
    if not middle and low is None and high is None:
        raise NotComparableError("a law on the whole line needs a break, such as its center")
    points = [*([low] if low else []), *middle, *([high] if high else [])]
    if low is None:
        yield from _tail(pair, points[0], -1)
    for start, stop in itertools.pairwise(points):
        yield _between(pair, start, stop)
    if high is not None and p.whole:
        # The last integer may be a break, from which on a formula of its own holds.
        yield _between(pair, high, high)
    if high is None:
        yield from _tail(pair, points[-1], 1)


def _above(pair: Pair, start: Pick | None) -> tuple[int, int]:
    if start is None:
        return 0, 0
    first = [first_break(i) for i in range(len(pair.p.breaks))]
    second = [second_break(i) for i in range(len(pair.q.breaks))]
    counts = [sum(pair.order(b, start) <= 0 for b in breaks) for breaks in (first, second)]
    return counts[0], counts[1]


def log_weights(pair: Pair) -> Number:
    """ln of the ratio of the probabilities of the continuous parts."""
    weights = ARB.number(pair.p.weight), ARB.number(pair.q.weight)
    return ARB.log(weights[0]) - ARB.log(weights[1])


def _between(pair: Pair, start: Pick, stop: Pick) -> Piece:
    above, offset = _above(pair, start), log_weights(pair)
    low, high = (ARB.number(end(pair.p, pair.q)) for end in (start, stop))

    def place(s: Number) -> Number:
        return low + s * (high - low)

    def loss(_: World, s: Number) -> Number:
        x = place(s)
        return offset + pair.p.log_density(x, above[0]) - pair.q.log_density(x, above[1])

    return Piece(loss, (0, 1), place, 0, (start, stop), above)


def _tail(pair: Pair, anchor: Pick, side: int) -> Iterator[Piece]:
    """A finite piece of length 1 from the anchor, and the rest of the line, u = 1/|x − anchor|."""

    def beyond(p: Reading, q: Reading) -> Number:
        return anchor(p, q) + side

    ends: tuple[Pick, Pick] = (anchor, beyond) if side > 0 else (beyond, anchor)
    above = _above(pair, anchor if side > 0 else None)
    near = _between(pair, *ends)
    yield Piece(near.loss, near.box, near.place, 0, ends, above)
    start, offset = ARB.number(anchor(pair.p, pair.q)), log_weights(pair)

    def place(u: Number) -> Number:
        return start + side / u

    infinite: tuple[Pick | None, Pick | None] = (beyond, None) if side > 0 else (None, beyond)
    tails = [law.right if side > 0 else law.left for law in (pair.p, pair.q)]
    if tails[0] is None or tails[1] is None:
        yield Piece(None, (0, 1), place, side, infinite, above)
        return
    first, second = tails[0](start), tails[1](start)

    def loss(_: World, u: Number) -> Number:
        return offset + first.rest(u) - second.rest(u)

    growth = tuple(_growth(anchor, side, name) for name in ("quadratic", "linear", "power"))
    yield Piece(
        loss, (0, 1), place, side, infinite, above, (growth[0], growth[1], growth[2]), (first, second)
    )


def _growth(anchor: Pick, side: int, name: str) -> Pick:
    def difference(p: Reading, q: Reading) -> Number:
        at = anchor(p, q)
        first, second = _tail_of(p, side, at), _tail_of(q, side, at)
        return getattr(first, name) - getattr(second, name)

    return difference


def _tail_of(law: Reading, side: int, anchor: Number) -> Tail:
    known = law.right if side > 0 else law.left
    if known is None:
        raise NotComparableError("a tail is unknown")
    return known(anchor)


def growth_sign(pair: Pair, piece: Piece) -> int | None:
    """Where the loss goes at the far end: ±1 for ±∞, 0 for a finite limit, None if not decided."""
    for pick in piece.growth or ():
        sign = pair.sign_of(pick)
        if sign != 0:
            return sign
    return 0
