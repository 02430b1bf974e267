"""Smooth Path: its privacy loss, and its error."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from establish import Every, Evidence, Real, Verdict, claim, exhaustive, holds, rules, solver
from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements import Integral, Satisfies
from establish.proofs_check.papers.ours.both_neighbors import private
from establish.proofs_check.papers.ours.smooth_staircase import Parameters, logarithms, moves_shown
from establish.spec.arithmetic import ARB, MP, Number, enclosing
from establish.spec.distributions.shortest_path import Section
from establish.spec.mechanisms.smooth_path import SmoothPathMechanism

PLACE = "Smooth Path"

PRIVATE = private("Smooth Path", SmoothPathMechanism)


def _loses_all(case: Parameters) -> bool:
    """An empty cell that hires one worker: at an output the densities differ by the factor e^ε."""
    made = SmoothPathMechanism(*case)
    with enclosing():
        off = made.loss_of_first_worker(ARB) - ARB.number(made.epsilon)
        return bool(abs(off) < ARB.number(Fraction(1, 10**20)))


def _parameters() -> Iterator[Parameters]:
    """α and ε, some of them little above 3·ln(1+α), where there is no fine step."""
    for alpha, epsilon in zip(
        ("1/10", "1/10", "1/20", "1/100", "1/5", "1/5", "1/1000", "1"),
        ("2", "1", "1", "1/4", "4", "3/5", "1/10", "5/2"),
        strict=True,
    ):
        yield Fraction(alpha), Fraction(epsilon)


ATTAINED = Every("parameters", _parameters, _loses_all)
"""The output lies where one step costs ε for the empty cell, and on the flat part for the other."""


@shared
def _arcs() -> tuple[Evidence, ...]:
    return tuple(map(solver.proves, rules.arcs()))


def private_evidence(statement: Satisfies) -> Evidence:
    """Privacy at ε, from how far moves reach and what they cost."""
    return rules.smooth_path(
        statement,
        *moves_shown(),
        *_arcs(),
        *map(solver.proves, rules.laws_of_neighbors(statement)),
        *(solver.proves(loss, logarithms) for loss in rules.crossings(statement)),
        *(
            solver.proves(loss, lambda c, alpha, epsilon, m, _: logarithms(c, alpha, epsilon, m))
            for loss in rules.variations(statement)
        ),
    )


@claim(
    "establish/smooth-path",
    where=PLACE,
    says="n + S·Z with −ln of Z's density the length of the shortest path from its flat part, a move to a "
    "neighbor costing ε less or more the logarithm of its stretch, is (α, ε)-ER-EE private for establishment "
    "attributes, and weakly so with worker attributes, for ε > 3·ln(1+α).",
    states=PRIVATE,
    tight=ATTAINED,
)
def smooth_path_is_private() -> Verdict:
    """In units of the smaller dataset's S the larger one's noise has its center d further up and m times the
    scale, 0 ≤ d ≤ 1 ≤ m ≤ 1 + α·d. Such a move leads one step further at most, and on a fine step the density
    is what the cheapest chain of so many moves makes it. Where a fine step may vary by more than ε −
    ln(1+α), none is taken.
    """
    return holds(
        *map(private_evidence, PRIVATE),
        exhaustive.each(ATTAINED, "eight parameters, some little above 3·ln(1+α)"),
        value="total privacy loss ε",
        condition="ε > 3·ln(1+α), where E|Z| is finite on both sides; attained at eight parameters",
    )


def _on_hyperbola(pole: Number, near: Number, size: Number, x: Number) -> Section:
    """From ``near`` beyond the pole on, to x further."""
    start = pole + near
    return Section(start, start + x, 1, size, pole)


HYPERBOLA = (Real("pole", least=0), Real("near", above=0), Real("size", above=0))

MASS = Integral(
    *HYPERBOLA,
    slope=lambda c, pole, near, size, t: _on_hyperbola(pole, near, size, t).factor(pole + near + t),
    first=lambda c, pole, near, size, x: _on_hyperbola(pole, near, size, x).mass(pole + near, c),
)

MOMENT = Integral(
    *HYPERBOLA,
    slope=lambda c, pole, near, size, t: (
        (pole + near + t) * _on_hyperbola(pole, near, size, t).factor(pole + near + t)
    ),
    first=lambda c, pole, near, size, x: _on_hyperbola(pole, near, size, x).first_moment(c),
)


def _adds_up(case: Parameters) -> bool:
    """By quadrature as far as fine steps go, to 25 digits; what lies beyond is Smooth Staircase's."""
    made = SmoothPathMechanism(*case)
    law = made.cell_law(0, 0)
    flat, tiny = MP.log(law.height), MP.number(10) ** -25

    def density(z: Number, sign: int) -> Number:
        return MP.exp(law.log_density(sign * z) - flat)

    for sign, side in zip((-1, 1), law.sides, strict=True):
        mass, moment = MP.number(0), MP.number(0)
        for a, b in pairwise((MP.number(0), *side.breaks(1))):
            mass += MP.mp.quad(lambda z, s=sign: density(z, s), [a, b])
            moment += MP.mp.quad(lambda z, s=sign: z * density(z, s), [a, b])
        end = MP.number(side.far.flat)
        mass += side.weight * side.far.mass()
        moment += side.weight * (side.far.first_moment() - end * end / 2)
        if abs(side.mass() + MP.number(side.flat) - mass) > tiny * mass:
            return False
        if abs(side.first_moment() - moment) > tiny * moment:
            return False
    return True


def _few() -> Iterator[Parameters]:
    for alpha, epsilon in zip(("1/2", "3/4", "1"), ("3", "3", "5/2"), strict=True):
        yield Fraction(alpha), Fraction(epsilon)


ADDS_UP = Every("α and ε", _few, _adds_up)


@claim(
    "establish/smooth-path-error",
    where=PLACE,
    says="On a section of a hyperbola mass and first moment are what the specification says, and those of "
    "both sides, of which E|Z| and E Z consist, are their sums and those of Smooth Staircase's steps beyond.",
    states=(MASS, MOMENT, ADDS_UP),
)
def error_of_smooth_path() -> Verdict:
    """∫ size/(z − pole) = size·ln of the ratio of the distances from the pole, and z/(z − pole) = 1 +
    pole/(z − pole). E|Z| is the height of the flat times the moments of both sides, finite for ε > 3·ln(1+α)
    as those of Smooth Staircase are, and E Z that of their difference: the mechanism is a little biased.
    """
    return holds(
        rules.antiderivative(MASS, *map(solver.proves, rules.antiderivatives(MASS))),
        rules.antiderivative(MOMENT, *map(solver.proves, rules.antiderivatives(MOMENT))),
        exhaustive.each(ADDS_UP, "three pairs of α and ε, to 25 digits"),
        value="E|out − n| = S·E|Z|, bias S·E Z",
    )
