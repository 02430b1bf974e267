"""Laws of outputs that are put together: tuples of independent parts, and outputs that are rounded.

A mechanism that releases several independent numbers returns a tuple of laws; ln(p/q) of the tuple is the
sum over the parts, so its supremum in one direction is the sum of theirs. A public function of an output
cannot cost more than the output: a rounded law is within a level when the law before the rounding is, and
breaks it when an event does that rounding leaves intact.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from flint import arb

from establish.proofs_check.audit.white.intervals import Finding, Interval, observed
from establish.proofs_check.audit.white.laws import NotComparableError
from establish.proofs_check.audit.white.loss import exactly_at_most, worst_loss
from establish.proofs_check.audit.white.pair import Pair, simple_rational
from establish.proofs_check.audit.white.spec_laws import Law
from establish.spec.arithmetic import ARB, World
from establish.spec.parameters import ParameterError, Rational, positive

SIMPLE = 10**6
"""Denominators of the shares of ε that are tried where a sum of losses is ε itself."""

FARTHEST = 16
"""Half-lines of a rounded law are tried up to so many doublings of the step from its breaks."""

LawIn = Callable[[World], Law]


@dataclass(frozen=True)
class Rounded:
    """The output of ``law``, rounded to the nearest multiple of ``step`` > 0, known exactly.

    Where ties go, at odd multiples of step/2, is not said: outputs there show nothing.
    """

    law: Law
    step: Fraction


def rounded(law: Law, step: Rational) -> Rounded:
    """See :class:`Rounded`. Raises ParameterError for a step that is not positive."""
    return Rounded(law, positive("step", step))


def parts(law: Law) -> tuple[Law, ...]:
    """The parts of a tuple of independent outputs; a single law is its only part."""
    several = isinstance(law, (tuple, list)) and not hasattr(law, "cdf")
    return tuple(law) if several else (law,)


def split(first: LawIn, second: LawIn) -> list[tuple[LawIn, LawIn]]:
    """The parts of two laws side by side, each in any world.

    Raises NotComparableError when the numbers of parts differ, ParameterError for no part.
    """
    counts = [len(parts(law(ARB))) for law in (first, second)]
    if not all(counts):
        raise ParameterError("law gives a tuple without outputs: return at least one law")
    if counts[0] != counts[1]:
        raise NotComparableError(f"one output has {counts[0]} parts and the other {counts[1]}")
    return [(partial(_part, first, number), partial(_part, second, number)) for number in range(counts[0])]


def _part(law: LawIn, number: int, c: World) -> Law:
    return parts(law(c))[number]


def before_rounding(first: LawIn, second: LawIn) -> tuple[LawIn, LawIn, Fraction | None]:
    """Both laws without the rounding, and its step; None where there is none.

    Raises NotComparableError when they are not rounded in the same way.
    """
    read = [law(ARB) for law in (first, second)]
    steps = [law.step if isinstance(law, Rounded) else None for law in read]
    if steps[0] != steps[1]:
        raise NotComparableError("the two outputs are rounded differently")
    if steps[0] is None:
        return first, second, None
    return partial(_inner, first), partial(_inner, second), steps[0]


def _inner(law: LawIn, c: World) -> Law:
    return law(c).law


@dataclass(frozen=True)
class Total:
    """The loss of a tuple: lower ≤ sup ≤ upper. sign: +1 when the first law is the likelier one there."""

    lower: arb
    upper: arb
    sign: int = 1
    reason: str = ""


def total_loss(pairs: Sequence[Pair]) -> Total:
    """The supremum of the sum of ln(p/q), in the direction in which it is larger."""
    best: Total | None = None
    for sign in (1, -1):
        lower, upper, reason = arb(0), arb(0), ""
        for pair in pairs:
            worst = worst_loss(pair, signs=(sign,))
            lower, upper = lower + worst.lower, upper + worst.upper
            reason = reason or worst.reason
        if best is None or lower > best.lower:
            best = Total(lower.lower(), max(upper.upper(), best.upper if best else upper), sign, reason)
        else:
            best = Total(best.lower, max(best.upper, upper.upper()), best.sign, best.reason or reason)
    assert best is not None, "there are two directions"
    return best


def total_at_most(pairs: Sequence[Pair], epsilon: Fraction) -> bool:
    """Whether the losses certainly add up to at most ε, equality included; False means not shown.

    Each part gets the simplest number that its loss may be; they must add up to ε or less, and each part
    must keep its own exactly.
    """
    shares = []
    for pair in pairs:
        worst = worst_loss(pair)
        if not worst.upper.is_finite():
            return False
        shares.append(Fraction(str(worst.upper.mid().str(30, radius=False))).limit_denominator(SIMPLE))
    if sum(shares) > epsilon:
        return False
    return all(_keeps(pair, share) for pair, share in zip(pairs, shares, strict=True))


def _keeps(pair: Pair, share: Fraction) -> bool:
    worst = worst_loss(pair)
    return bool(worst.upper < ARB.number(share)) or exactly_at_most(pair, share)


def _surviving_events(pair: Pair, step: Fraction) -> Iterator[Interval]:
    """Events of the law before the rounding that the rounded output still tells: ends at ties.

    A tie that is an output itself is left out, as it may be rounded to either side.
    """
    centers = [
        simple_rational(law.chart.back(ARB.number(at))) for law in (pair.p, pair.q) for at in law.breaks
    ]
    ends: dict[Fraction, None] = {}
    for center in centers or [Fraction(0)]:
        near = round(center / step)
        away = [0, *(2**k for k in range(FARTHEST))]
        for more in away:
            for sign in (1, -1):
                ends[(near + sign * more) * step + step / 2] = None
                ends[(near + sign * more) * step - step / 2] = None
    told = [end for end in ends if not _is_output(pair, end)]
    for end in told:
        yield Interval(end, None)
        yield Interval(None, end)
        if not _is_output(pair, end + step):
            yield Interval(end, end + step)


def _is_output(pair: Pair, end: Fraction) -> bool:
    """Whether a single value may have a probability of its own."""
    return any(
        (law.whole and end.denominator == 1) or any(value == end for value, _ in law.atoms)
        for law in (pair.p, pair.q)
    )


def surviving(pair: Pair, step: Fraction) -> Iterator[Finding]:
    """Those events with their probabilities, in both orders of the datasets."""
    for event in _surviving_events(pair, step):
        yield from (observed(pair, event, sign) for sign in (1, -1))
