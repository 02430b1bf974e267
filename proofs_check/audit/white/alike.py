"""Pairs of laws that are one pair in another unit: what is settled of one is settled of all.

Two laws of one family of locations and scales, moved by the same amount and stretched by the same factor,
give every event the probability of the event that is moved back. So pairs with the same distance of the
centers, in units of the first scale, and the same ratio of the scales need the same level.
"""

import math
from collections.abc import Callable, Hashable
from typing import Any

from establish.proofs_check.audit.white.laws import Reading
from establish.proofs_check.audit.white.spec_laws import Law
from establish.spec.arithmetic import ARB, EXACT, SYM, World
from establish.spec.distributions.geometric import Geometric
from establish.spec.distributions.heavy_tailed import HeavyTailed
from establish.spec.distributions.laplace import Laplace
from establish.spec.distributions.log_laplace import LogLaplace
from establish.spec.parameters import ParameterError

LawIn = Callable[[World], Law]
"""The law of an output, in any world."""


def key(first: LawIn, second: LawIn) -> Hashable | None:
    """The same for pairs that need the same level; None where that is not known.

    It is read exactly, and has the leading digits of the balls beside it, as balls are what is settled.
    """
    for c in (EXACT, SYM):
        read = [_parts(law, c) for law in (first, second)]
        if None in read:
            continue
        try:
            exact, balls = _seen(*read), _seen(*(_parts(law, ARB) for law in (first, second)))
            if exact is None or balls is None:
                return None
            return (*exact, *(f"{float(number):.12g}" for number in balls[2:]))
        except (TypeError, ValueError, ArithmeticError):  # a place that is no number
            return None
    return None


def apart(first: LawIn, second: LawIn) -> float | None:
    """About how far apart two laws of one family are, in units of the first; None where it is not known."""
    read = [_parts(law, ARB) for law in (first, second)]
    if None in read or read[0][0] != read[1][0] or read[0][0] is LogLaplace:  # type: ignore[index]  # not None here
        return _logarithms(read)
    _, _, distance, ratio, *rest = _seen(*read) or ()
    return abs(float(distance)) + abs(math.log(float(ratio))) + sum(map(float, rest))


def _logarithms(read: list[Any]) -> float | None:
    """The same for Log-Laplace laws: the distance of the logarithms."""
    if None in read or any(part[0] is not LogLaplace for part in read):
        return None
    (count, shift, scale), (count2, shift2, scale2) = (map(float, part[2]) for part in read)
    return (
        abs(math.log((count2 + shift2) / (count + shift))) / scale + abs(shift2 - shift) + abs(scale2 - scale)
    )


def _seen(p: Any, q: Any) -> tuple[Any, ...] | None:
    """The second law as seen from the first: the families, and the numbers that matter."""
    if p is None or q is None:
        return None
    (family, place, rest), (other, place2, rest2) = p, q
    if family != other or not place:
        return (family, other, *place, *rest, *place2, *rest2)
    (center, scale), (center2, scale2) = place, place2
    return (family, other, (center2 - center) / scale, scale2 / scale, *rest, *rest2)


def _parts(law: LawIn, c: World) -> tuple[Hashable, tuple[Any, ...], tuple[Any, ...]] | None:
    """The family of a law, its center and scale if it is one of locations and scales, its other numbers."""
    try:
        made = law(c)
        family, place, rest = _fields(made)
        return None if family is None else (family, tuple(map(c.number, place)), tuple(map(c.number, rest)))
    except (TypeError, ValueError, AttributeError, NotImplementedError, ArithmeticError, ParameterError):
        return None  # a law may only know some worlds


def _fields(made: Law) -> tuple[Any, tuple[Any, ...], tuple[Any, ...]]:
    if isinstance(made, Laplace | HeavyTailed):
        return type(made), (made.center, made.scale), (getattr(made, "gamma", 0),)
    if isinstance(made, Geometric):
        return Geometric, (made.center, 1), (made.ratio,)
    if isinstance(made, LogLaplace):
        return LogLaplace, (), (made.count, made.shift, made.scale)
    if isinstance(made, Reading) and made.normal is not None:
        return "normal", made.normal, ()
    return None, (), ()
