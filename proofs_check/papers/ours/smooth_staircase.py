"""Smooth Staircase: its privacy loss, and its error."""

from collections.abc import Iterator
from fractions import Fraction

from establish import Equal, Every, Evidence, Real, Verdict, claim, exhaustive, holds, solver, symbolic
from establish.proofs_check.engine.rules import crossings, laws_of_neighbors, moves, smooth_staircase, spreads
from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements import Comparison, Satisfies
from establish.proofs_check.papers.ours.both_neighbors import private
from establish.spec.arithmetic import ARB, Number, World, enclosing
from establish.spec.distributions import spreading_staircase as law_of
from establish.spec.mechanisms.smooth_staircase import (
    SmoothStaircaseMechanism,
    UnbiasedSmoothStaircaseMechanism,
)

PLACE = "Smooth Staircase"

PRIVATE = private("Smooth Staircase", SmoothStaircaseMechanism)
UNBIASED = private("unbiased Smooth Staircase", UnbiasedSmoothStaircaseMechanism)


Parameters = tuple[Fraction, Fraction]


def _parameters() -> Iterator[Parameters]:
    """α and ε, some of them little above 3·ln(1+α)."""
    for alpha, epsilon in zip(
        ("1/10", "1/10", "1/20", "1/2", "1/5", "1/5", "1/1000", "1"),
        ("2", "1", "1", "5/4", "4", "3/5", "1/100", "5/2"),
        strict=True,
    ):
        yield Fraction(alpha), Fraction(epsilon)


def _loses_all(case: Parameters) -> bool:
    """An empty cell that hires one worker: at an output the densities differ by the factor e^ε."""
    made = SmoothStaircaseMechanism(*case)
    with enclosing():
        off = made.loss_of_first_worker(ARB) - ARB.number(made.epsilon)
        return bool(abs(off) < ARB.number(Fraction(1, 10**20)))


ATTAINED = Every("parameters", _parameters, _loses_all)
"""The output lies on the first step above for the empty cell, and on the flat part for the other."""


@shared
def moves_shown() -> tuple[Evidence, ...]:
    return tuple(map(solver.proves, (*moves(), *spreads())))


def logarithms(c: World, alpha: Number, epsilon: Number, m: Number) -> None:
    for number in (c.number(1), m, 1 + alpha):
        c.log(number)


def private_evidence(statement: Satisfies) -> Evidence:
    """Privacy at ε, from where outputs go and what the steps that they cross cost."""
    return smooth_staircase(
        statement,
        *moves_shown(),
        *map(solver.proves, laws_of_neighbors(statement)),
        *(solver.proves(loss, logarithms) for loss in crossings(statement)),
    )


@claim(
    "establish/smooth-staircase",
    where=PLACE,
    says="n + S·Z with a staircase law Z whose steps spread by the factor 1+α and 1 more, lower by e^(−ε) "
    "above and by (1+α)·e^(−ε) below, is (α, ε)-ER-EE private for establishment attributes, and weakly so "
    "with worker attributes, whatever the ends of its flat part, for ε > 3·ln(1+α).",
    states=PRIVATE,
    tight=ATTAINED,
)
def smooth_staircase_is_private() -> Verdict:
    """In units of the smaller dataset's S the larger one's noise has its center d further up and m times the
    scale, 0 ≤ d ≤ 1 ≤ m ≤ 1 + α·d. Such a move crosses one step above, or one below, or one of each across
    the flat part. Above a crossing costs ε less ln m; below it costs ε − ln(1+α), and ln m is added.
    """
    return holds(
        *map(private_evidence, PRIVATE),
        exhaustive.each(ATTAINED, "eight parameters, some little above 3·ln(1+α)"),
        value="total privacy loss ε",
        condition="ε > 3·ln(1+α), where E|Z| is finite on both sides; attained at eight parameters",
    )


@claim(
    "establish/smooth-staircase-unbiased",
    where=PLACE,
    says="The same is true of the even law, whose steps spread on both sides as those above and are lower by "
    "(1+α)·e^(−ε).",
    states=UNBIASED,
)
def unbiased_smooth_staircase_is_private() -> Verdict:
    """Breaks below may be farther out than those of the other law, and steps above may cost less. The density
    is even and E|Z| finite (establish/smooth-staircase-error), so E Z = 0.
    """
    return holds(
        *map(private_evidence, UNBIASED),
        value="total privacy loss ε at most",
        condition="ε > 3·ln(1+α), where E|Z| is finite",
    )


SLIDES = (0, 1, 2, 3)
"""How many steps slide before they spread."""


def _side(c: World, alpha: Number, ratio: Number, flat: Number, sign: int, slides: int) -> law_of.Side:
    growth = 1 + c.number(alpha)
    return law_of.Side(flat, ratio, growth, sign / c.number(alpha), slides, c)


def _adds_up(sign: int, slides: int, moment: bool) -> Comparison:
    """Mass, or first moment, beyond the flat part: that of the first step, and e^(−drop) times what lies
    beyond a flat part that ends where the first step does.
    """

    def read(c: World, side: law_of.Side) -> Number:
        flat = c.number(side.flat)
        return side.first_moment() - flat * flat / 2 if moment else side.beyond(0)

    def whole(c: World, alpha: Number, ratio: Number, flat: Number) -> Number:
        return read(c, _side(c, alpha, ratio, flat, sign, slides))

    def parts(c: World, alpha: Number, ratio: Number, flat: Number) -> Number:
        end = _side(c, alpha, ratio, flat, sign, slides).place(1)
        first = (end * end - flat * flat) / 2 if moment else end - flat
        rest = read(c, _side(c, alpha, ratio, end, sign, max(slides - 1, 0)))
        return ratio * (first + rest)

    return Equal(
        Real("α", above=0),
        Real("q", above=0, below=lambda c, alpha: 1 / (1 + c.number(alpha)) ** 2),
        Real("r", least=0 if sign > 0 or slides else lambda c, alpha, ratio: 2 / c.number(alpha)),
        left=whole,
        right=parts,
    )


ADDS_UP = tuple(
    _adds_up(sign, slides, moment)
    for moment in (False, True)
    for sign, slides in ((1, 0), *((-1, slides) for slides in SLIDES))
)


@claim(
    "establish/smooth-staircase-error",
    where=PLACE,
    says="The mass of the steps of Smooth Staircase and their first moment, of which E|Z| and E Z consist, "
    "are those of the first step and e^(−drop) times those from the first step on, above and below, where up "
    "to three steps slide before they spread.",
    states=ADDS_UP,
)
def error_of_smooth_staircase() -> Verdict:
    """Step after step: beyond N steps there remains e^(−N·drop) times a mass that grows by the factor 1+α
    with each step, or a moment that grows by its square, and that vanishes for ε > 3·ln(1+α). So both are
    sums over all steps, E|Z| is the height of the flat times the moments of both sides, and E Z that of their
    difference: the mechanism is a little biased.
    """
    return holds(*map(symbolic.proves, ADDS_UP), value="E|out − n| = S·E|Z|, bias S·E Z")
