"""Where a privacy loss is so large that nothing is left to show of a Gaussian level.

Let P and Q be two laws without outputs that only one of them has, L = ln(p/q) under P, and δ(ε) the largest
P(S) − e^ε·Q(S). Then δ(ε) = ∫ e^(−y)·Pr[L > ε + y] dy over y > 0. For two normal laws μ deviations apart L is
normal with mean μ²/2 and deviation μ, so that Pr[L > l] = 1 − Φ(l/μ − μ/2); their δ is called δ_μ. Hence
δ ≤ δ_μ at every ε ≥ E as soon as Pr[L > l] ≤ 1 − Φ(l/μ − μ/2) for every l ≥ E.

It is so where L never exceeds E. Else let L ≤ E but in tails, where at distance z = 1/u from an anchor

    ln p ≤ A·z² + B·z + R  and  L ≤ b·z + r,   with A < 0 and b > 0.

The first bound is k times a normal density of variance σ² = −1/(2A) and mean m = σ²·B, and b·z + r is the
loss of two normal laws of that variance with means m and m − σ²·b, plus a constant s. With ν = σ·b,

    Pr[L > l in this tail] ≤ k·(1 − Φ((l − s)/ν − ν/2)).

Over 1 − Φ(l/μ − μ/2) that falls as l grows, if ν < μ and the argument of the first Φ is the larger one at
l = E, as it then is beyond: the hazard rate of a normal law increases. So it is enough to compare at l = E.
"""

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from establish.proofs_check.audit.white.excess import Box, bounds_of_loss
from establish.proofs_check.audit.white.laws import positive
from establish.proofs_check.audit.white.loss import atom_masses
from establish.proofs_check.audit.white.pair import Pair
from establish.proofs_check.audit.white.pieces import Piece, growth_sign, pieces
from establish.spec.arithmetic import ARB

LEAST, MOST = -6, 10
"""E is one of the powers of 2 with exponents between these."""

FINEST = Fraction(1, 4096)
"""The shortest stretch of a piece on which the loss is bounded by itself."""


class UnboundedError(Exception):
    """Nothing is shown where the loss is large; the message says why."""


def upper_tail(z: arb) -> arb:
    """1 − Φ(z), with its relative accuracy for large z."""
    return (z / ARB.sqrt(arb(2))).erfc() / 2


def start(pair: Pair, mu: arb) -> Fraction:
    """A number E ≥ 0 such that δ(ε) ≤ δ_μ(ε) for every ε ≥ E. Call inside :func:`enclosing`.

    Raises UnboundedError where none is found, and NotComparableError for laws without a common support.
    """
    stretches = list(pieces(pair)) if positive(pair.p.weight) else []
    growing = [_grows(pair, piece) for piece in stretches]
    for exponent in range(LEAST, MOST + 1):
        limit = Fraction(2) ** exponent
        if not _atoms_keep(pair, limit):
            continue
        ends = [_open_up_to(pair, piece, limit) for piece in stretches]
        if any(end > 0 and not grows for end, grows in zip(ends, growing, strict=True)):
            continue
        shares = (
            _share(pair, piece, end, limit, mu) for piece, end in zip(stretches, ends, strict=True) if end > 0
        )
        if sum(shares, arb(0)) <= 1:
            return limit
    if any(growing):
        raise UnboundedError("the loss has no bound, and no Gaussian level is shown for its tails")
    raise UnboundedError(f"the loss is not shown to stay below {2**MOST}")


def _grows(pair: Pair, piece: Piece) -> bool:
    """Whether the loss tends to +∞ on the piece. Raises UnboundedError where that is not known."""
    if not piece.side:
        return False
    direction = None if piece.loss is None else growth_sign(pair, piece)
    if direction is None:
        raise UnboundedError("the form of a tail is not known, so that the loss has no bound there")
    return direction > 0


def _atoms_keep(pair: Pair, limit: Fraction) -> bool:
    factor = ARB.exp(ARB.number(limit))
    return all(ARB.number(p) <= factor * ARB.number(q) for _, p, q in atom_masses(pair))


def _open_up_to(pair: Pair, piece: Piece, limit: Fraction) -> Fraction:
    """The parameter from which on the loss is certainly at most the limit on the piece; 0 for all of it."""
    seen = bounds_of_loss(pair, piece, limit)
    at, step = Fraction(1), Fraction(1)
    while at > 0 and step >= FINEST:
        step = min(step, at)
        _, high, _ = seen(Box(at - step, at))
        if high <= 0:
            at -= step
        else:
            step /= 2
    return at


def _share(pair: Pair, piece: Piece, u: Fraction, limit: Fraction, mu: arb) -> arb:
    """A bound of Pr[L > l, outputs beyond 1/u] over 1 − Φ(l/μ − μ/2), for every l ≥ limit; +∞ for none."""
    bound = _envelope(pair, piece, u)
    if bound is None:
        return arb.pos_inf()
    end = ARB.number(limit)
    first, second = (end - bound.s) / bound.nu - bound.nu / 2, end / mu - mu / 2
    if not (bound.nu < mu and first >= second):
        return arb.pos_inf()
    return bound.k * upper_tail(first) / upper_tail(second)


@dataclass(frozen=True)
class _Envelope:
    """Pr[L > l in a tail] ≤ k·(1 − Φ((l − s)/ν − ν/2))."""

    k: arb
    nu: arb
    s: arb


def _envelope(pair: Pair, piece: Piece, u: Fraction) -> _Envelope | None:
    """As in the text above, for outputs beyond 1/u; None where the tails are not those of normal laws."""
    if piece.loss is None or piece.tails is None or piece.growth is None or pair.p.whole:
        return None
    first, second = piece.tails
    alike = [pair.sign_of(pick) for pick in piece.growth] == [0, 1, 0]
    a, power = arb(ARB.number(first.quadratic)), arb(ARB.number(first.power))
    if not (alike and a < 0 and power == 0):
        return None
    ball = Box(Fraction(0), u).ball
    linear, other = arb(ARB.number(first.linear)), arb(ARB.number(second.linear))
    highest = arb(ARB.number(first.rest(ball)) + ARB.log(arb(ARB.number(pair.p.weight)))).upper()
    offset = arb(ARB.number(piece.loss(ARB, ball))).upper()
    if not (highest.is_finite() and offset.is_finite()):
        return None
    variance = -1 / (2 * a)
    mean, moved = variance * linear, variance * other
    k = ARB.sqrt(2 * ARB.pi * variance) * ARB.exp(highest + mean * mean / (2 * variance))
    s = offset + (mean * mean - moved * moved) / (2 * variance)
    return _Envelope(k, ARB.sqrt(variance) * (linear - other), s)
