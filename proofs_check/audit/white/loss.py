"""The privacy loss of one pair of laws: the supremum of |ln p − ln q| over every output."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

import sympy
from flint import arb

from establish.proofs_check.audit.white.laws import Reading, positive
from establish.proofs_check.audit.white.pair import Pair, Pick, simplest
from establish.proofs_check.audit.white.pieces import Piece, growth_sign, log_weights, pieces
from establish.proofs_check.engine.methods import enclosure
from establish.proofs_check.engine.methods.enclosure import Function, Side, Supremum
from establish.spec.arithmetic import ARB, BITS, Number, World

TOLERANCE = Fraction(1, 10**20)
"""To how much a supremum is enclosed."""

MAX_BOXES = 20_000
"""Boxes for one piece before its supremum counts as not decided."""


@dataclass(frozen=True)
class Worst:
    """lower ≤ sup ≤ upper. sign: +1 when the first law is the likelier one there, −1 for the second.

    at: the output (in the chart) that attains ``lower``; None for an atom or a far tail.
    atom: the value, when an atom attains it. tail: ±1 when it lies at ±∞. An infinite loss has lower
    = upper = +∞. reason: why a bound is infinite.
    """

    lower: arb
    upper: arb
    sign: int = 1
    at: Number | None = None
    atom: int | Fraction | None = None
    tail: int = 0
    reason: str = ""

    @property
    def infinite(self) -> bool:
        return bool(self.lower == arb.pos_inf())


def _infinite(sign: int, reason: str, **place: Number) -> Worst:
    return Worst(arb.pos_inf(), arb.pos_inf(), sign, reason=reason, **place)


def _signed(loss: Function, sign: int) -> Function:
    return lambda c, s: sign * loss(c, s)


def atom_masses(pair: Pair) -> Iterator[tuple[int | Fraction, Number, Number]]:
    """Every atom of either law, with its two probabilities."""
    first, second = dict(pair.p.atoms), dict(pair.q.atoms)
    for value in dict.fromkeys([*first, *second]):
        yield value, first.get(value, 0), second.get(value, 0)


def singular(pair: Pair) -> Worst | None:
    """An output that one law has and the other has not."""
    for value, first, second in atom_masses(pair):
        if positive(first) != positive(second):
            sign = 1 if positive(first) else -1
            return _infinite(sign, f"only one of them has {value} as an atom", atom=value)
    dense = [positive(law.weight) for law in (pair.p, pair.q)]
    if dense[0] != dense[1]:
        return _infinite(1 if dense[0] else -1, "only one of them has a density")
    if dense[0]:
        pair.require_one_chart()
        if not pair.same_ends():
            return _infinite(_wider(pair), "their supports differ")
    return None


def _wider(pair: Pair) -> int:
    """+1 when the first law has outputs that the second has not, −1 for the reverse only."""
    p, q = pair.p, pair.q
    lower = q.low is not None and (p.low is None or bool(ARB.number(p.low) < q.low))
    higher = q.high is not None and (p.high is None or bool(ARB.number(p.high) > q.high))
    return 1 if lower or higher else -1


def worst_loss(pair: Pair, floor: arb | None = None, signs: tuple[int, ...] = (1, -1)) -> Worst:
    """Enclose sup |ln p − ln q| over all outputs to TOLERANCE. Call inside :func:`enclosing`.

    signs: the directions; with one of them the supremum of ±(ln p − ln q), which is never negative.

    With a ``floor``, the answer is only bounded by floor + TOLERANCE when it does not exceed that.
    Where balls do not settle it, upper is +∞ and ``reason`` says why.
    Raises NotComparableError for laws that cannot be laid side by side.
    """
    apart = singular(pair)
    if apart is not None:
        return apart if apart.sign in signs else Worst(arb(0), arb.pos_inf(), reason=apart.reason)
    best = Worst(floor or arb(0), floor or arb(0))
    for value, first, second in atom_masses(pair):
        loss = ARB.log(arb(ARB.number(first)) / ARB.number(second))
        for sign in signs:
            best = _larger(best, Worst((sign * loss).lower(), (sign * loss).upper(), sign, atom=value))
    if positive(pair.p.weight):
        parts = list(pieces(pair))
        endless = _growing(pair, parts, signs)
        if endless is not None:
            return endless
        for piece in parts:
            for sign in signs:
                best = _with_piece(pair, piece, sign, best)
    return best


def _growing(pair: Pair, parts: Sequence[Piece], signs: tuple[int, ...]) -> Worst | None:
    """A tail in which the loss grows without bound: no piece has to be enclosed where there is one."""
    for piece in reversed(parts):
        direction = growth_sign(pair, piece)
        if direction in signs:
            reason = "the loss grows without bound in a tail"
            return _infinite(direction, reason, tail=piece.side)
    return None


def _larger(best: Worst, other: Worst) -> Worst:
    """The supremum of both: the place of the larger lower bound, the larger upper bound."""
    upper = max(best.upper, other.upper)
    chosen = other if other.lower > best.lower else best
    return replace(chosen, upper=upper, reason=best.reason)


def _open(best: Worst, reason: str) -> Worst:
    """The same lower bound, and no upper one."""
    return replace(best, upper=arb.pos_inf(), reason=reason)


def _with_piece(pair: Pair, piece: Piece, sign: int, best: Worst) -> Worst:
    if piece.loss is None:
        return _open(best, "a law has a tail of unknown form: give its Tail")
    if piece.side:
        direction = growth_sign(pair, piece)
        if direction is None:
            return _open(best, "it is not decided whether the loss grows in a tail")
        if direction:
            return best  # only in the opposite direction
    f = _signed(piece.loss, sign)
    limit = best.lower + ARB.number(TOLERANCE)
    below = enclosure.at_most(f, [piece.box], lambda _: limit, "", max_boxes=300, bits=BITS)
    if below.established:
        return _larger(best, Worst(arb(0), limit.upper()))
    try:
        found = enclosure.supremum(f, [piece.box], TOLERANCE, MAX_BOXES, BITS)
    except ArithmeticError as error:
        return _open(best, str(error))
    s = ARB.number(found.where[0])
    far = piece.side if piece.side and s == 0 else 0
    at = None if far else piece.place(s)
    if pair.p.whole and not far:
        return _at_integers(pair, piece, sign, best, found)
    return _larger(best, Worst(found.lower, found.upper, sign, at, tail=far))


def _at_integers(pair: Pair, piece: Piece, sign: int, best: Worst, found: Supremum) -> Worst:
    """The supremum over the reals bounds that over the integers; those near it attain theirs.

    At a break the formula of a piece may end without being attained: there the mass is that from it on.
    """
    place = arb(piece.place(ARB.number(found.where[0])))
    ends = [None if end is None else ARB.number(end(pair.p, pair.q)) for end in piece.ends]
    best = replace(best, upper=max(best.upper, found.upper))
    below = int(place.mid().floor().unique_fmpz())
    for k in (below - 1, below, below + 1):
        low, high = (end is None or side * (k - end) >= 0 for end, side in zip(ends, (1, -1), strict=True))
        if low and high:
            loss = log_weights(pair) + _log_mass(pair.p, k) - _log_mass(pair.q, k)
            best = _larger(best, Worst((sign * loss).lower(), arb(0), sign, arb(k)))
    return best


def _log_mass(law: Reading, k: int) -> Number:
    """ln of the probability of an integer, without the weight."""
    return law.log_density(arb(k), sum(bool(ARB.number(at) <= k) for at in law.breaks))


def exactly_at_most(pair: Pair, epsilon: Fraction) -> bool:
    """Whether the loss is certainly at most ε, equality included, at every output.

    A piece whose supremum is ε itself is settled symbolically, where the loss is constant or linear
    in the chart, as between the centers of two Laplace laws. False means not shown.
    """
    if singular(pair) is not None:
        return False
    limit = ARB.number(epsilon)
    for value, _, _ in atom_masses(pair):
        if not all(_atom_is_at_most(pair, value, sign, epsilon) for sign in (1, -1)):
            return False
    if not positive(pair.p.weight):
        return True
    for piece in pieces(pair):
        for sign in (1, -1):
            if piece.loss is None:
                return False
            if piece.side and growth_sign(pair, piece) != 0:
                return False
            f = _signed(piece.loss, sign)

            def below(boxes: int, f: Function = f, box: Side = piece.box) -> bool:
                shown = enclosure.at_most(f, [box], lambda _: limit, "", boxes, BITS)
                return shown.established is True

            if not (below(8) or _linear_at_most(pair, piece, sign, epsilon) or below(MAX_BOXES)):
                return False
    return True


def _atom_is_at_most(pair: Pair, value: int | Fraction, sign: int, epsilon: Fraction) -> bool:
    def excess(p: Reading, q: Reading, c: World) -> Number:
        first, second = (c.number(dict(law.atoms)[value]) for law in (p, q))
        return sign * c.log(first / second) - c.number(epsilon)

    return pair.sign_in(excess) in (-1, 0)


def _linear_at_most(pair: Pair, piece: Piece, sign: int, epsilon: Fraction) -> bool:
    """sign·loss ≤ ε on a piece on which the loss is a linear function of the output."""
    if pair.symbolic is None:
        return False
    x = sympy.Symbol("x", real=True)
    slope = simplest(sympy.diff(piece.log_ratio(*pair.symbolic, x), x))
    if slope.has(x) or (slope != 0 and None in piece.ends):
        return False

    def excess(p: Reading, q: Reading, c: World, end: Pick) -> Number:
        weights = c.log(c.number(p.weight)) - c.log(c.number(q.weight))
        return sign * (weights + piece.log_ratio(p, q, end(p, q))) - c.number(epsilon)

    finite = [end for end in piece.ends if end is not None]
    return all(pair.sign_in(partial(excess, end=end)) in (-1, 0) for end in finite)
