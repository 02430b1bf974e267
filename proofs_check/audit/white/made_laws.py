"""Laws beyond those of ``establish.spec``: normal, finite, with atoms, clipped."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from establish.proofs_check.audit.white.laws import Atom, Reading, Tail, TailFrom
from establish.proofs_check.audit.white.spec_laws import Law, reading
from establish.spec.arithmetic import ARB, MP, Number, World
from establish.spec.parameters import ParameterError


def normal(center: Number, deviation: Number, c: World) -> Reading:
    """The normal law; deviation > 0. Its distribution function is read in ARB and in MP."""
    constant = -c.log(deviation) - c.log(2 * c.pi) / 2

    def log_density(x: Number, _: int) -> Number:
        z = (x - center) / deviation
        return constant - z * z / 2

    def cdf(x: Number) -> Number:
        z = (x - center) / (deviation * c.sqrt(c.number(2)))
        return (-z).erfc() / 2 if c is ARB else MP.mp.erfc(-z) / 2

    def tail(side: int) -> TailFrom:
        variance = deviation * deviation

        def of(anchor: Number) -> Tail:
            offset = side * (anchor - center)
            shift = constant - offset * offset / (2 * variance)
            return Tail(-1 / (2 * variance), -offset / variance, 0, lambda u: shift)

        return of

    return Reading(
        log_density,
        cdf,
        (center,),
        left=tail(-1),
        right=tail(1),
        normal=(center, deviation),
    )


def finite(masses: dict[int, Number]) -> Reading:
    """A law on finitely many integers; values of probability 0 are left out of the support.

    Probabilities are Fractions or numbers of the world, and must sum to 1.
    """
    # A ball around 0 is neither equal to 0 nor different from it, and stays.
    kept = [one for one in sorted(masses.items()) if not one[1] == 0]  # noqa: SIM201  # != would drop it
    atoms = tuple(kept)
    return Reading(lambda x, _: 0, lambda x: 0, atoms=atoms, weight=0)


def point(value: int | Fraction) -> Reading:
    """The law of an output that is always ``value``."""
    return replace(finite({0: 1}), atoms=((value, 1),))


def mixed(law: Law, atoms: tuple[Atom, ...], weight: Number, c: World) -> Reading:
    """``law`` with probability ``weight``, and otherwise one of the point masses.

    The weight and the masses must sum to 1. Raises ParameterError for a law that has atoms already.
    """
    read = reading(law, c)
    if read.atoms:
        raise ParameterError("the law has atoms already: give all of them at once")
    return replace(read, atoms=atoms, weight=weight, normal=None)


def clipped(law: Law, low: int | Fraction, high: int | Fraction, c: World) -> Reading:
    """The law of the output moved to the nearest point of [low, high].

    Probability beyond an end becomes an atom there. Raises ParameterError for a law with atoms, on
    the integers, or in a chart.
    """
    read = reading(law, c)
    if read.atoms or read.whole or read.chart.name:
        raise ParameterError("only a law with a density in plain coordinates can be clipped")
    below, up_to = read.cdf(c.number(low)), read.cdf(c.number(high))
    inside = up_to - below
    log_inside = c.log(inside)
    return Reading(
        lambda x, k: read.log_density(x, k) - log_inside,
        lambda x: (read.cdf(x) - below) / inside,
        read.breaks,
        c.number(low),
        c.number(high),
        atoms=((low, below), (high, 1 - up_to)),
        weight=inside,
    )
