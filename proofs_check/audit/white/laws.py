"""How the white box reads the law of an output: pieces, ends, tails and atoms.

A :class:`Reading` is all that is asked of a law. Those of ``establish.spec`` are read by
:func:`spec_laws.reading`; a user returns a Reading, or anything with ``log_density`` and ``cdf``.
``made_laws`` builds further ones.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from establish.spec.arithmetic import Number


@dataclass(frozen=True)
class Tail:
    """ln of the density far out, at x = anchor ± 1/u for every u > 0 of that side:

    quadratic/u² + linear/u + power·ln(1/u) + rest(u), with rest finite on balls that contain u = 0.
    The first three numbers must not depend on u.
    """

    quadratic: Number
    linear: Number
    power: Number
    rest: Callable[[Number], Number]


TailFrom = Callable[[Number], Tail]
"""The tail as seen from an anchor, which lies beyond the last break on that side."""

Atom = tuple[int | Fraction, Number]
"""A value, and its probability."""


@dataclass(frozen=True)
class Chart:
    """An increasing change of coordinates t = forward(x), in which a law is easier to bound.

    Two laws are compared only in one chart: the same name and the same parameter, exactly.
    ``back`` gives the output x at t.
    """

    name: str = ""
    parameter: Number = 0
    forward: Callable[[Number], Number] = lambda x: x
    back: Callable[[Number], Number] = lambda t: t


PLAIN = Chart()
"""Outputs as they are."""


@dataclass(frozen=True)
class Reading:
    """A law of one real output, in the coordinates of ``chart``.

    log_density(x, k): ln of the density of the continuous part at x, where k breaks lie at or below
    x; between two breaks it is analytic, and its formula extends to both of them. With ``whole`` the
    support is the integers and it is ln of the probability of x; breaks are then integers.
    cdf(x): the continuous part's (or the integers') share at or below x, from 0 to 1.
    breaks: ascending, at least one point inside the support. low, high: the ends of the support of
    the continuous part, None for infinity; the density must be finite up to a finite end.
    left, right: the tails towards an infinite end; None when unknown, and then no pure level is
    ever certified.
    atoms, weight: point masses, and the probability of the continuous part; 0 for none.
    """

    log_density: Callable[[Number, int], Number]
    cdf: Callable[[Number], Number]
    breaks: tuple[Number, ...] = (0,)
    low: Number | None = None
    high: Number | None = None
    left: TailFrom | None = None
    right: TailFrom | None = None
    atoms: tuple[Atom, ...] = ()
    weight: Number = 1
    chart: Chart = PLAIN
    whole: bool = False
    normal: tuple[Number, Number] | None = None
    """Center and standard deviation, when the law is a normal one."""
    owed: tuple[Number, ...] = ()
    """Numbers that must be exactly 0 for the tails to be right; where that is not shown they are unknown."""


class NotComparableError(Exception):
    """Two laws cannot be laid side by side; the message says why."""


def positive(mass: Number) -> bool:
    """Whether a probability is positive, rather than exactly 0.

    Raises NotComparableError for a ball that decides neither.
    """
    if mass > 0:
        return True
    if mass == 0:
        return False
    raise NotComparableError(f"it is not decided whether the probability {mass} is positive")
