"""That the pieces of the ladder, its cuts and its tails are what the argument on whole numbers says.

Each is read from the law itself, at places that are T, the turn, and a whole number above or below it, for
all parameters at once.
"""

from typing import Any

from establish.proofs_check.engine.statements import Comparison, Domain, Formula, Integer, Rational, Real
from establish.spec.arithmetic import World
from establish.spec.distributions.geometric import mass
from establish.spec.distributions.staircase import height, ratio
from establish.spec.distributions.whole_staircase import Ladder, Rungs, WholeStaircase, pieces, receding
from establish.spec.whole_scale import HALF, WholeScale

NO_SCALE = WholeScale(HALF, (0,), (), ())
"""In the place of φ, which the steps of a law do not read."""


PARAMETERS = (
    Integer("T", least=0),
    Rational("ε", above=0),
    Rational("r", least=0),
    Rational("lean", least=0),
)
"""Of a ladder: its turn, the budget, the width of the flat part and how far that leans."""


def pieces_meet() -> tuple[Comparison, ...]:
    """That Λ and cut are continuous but for their jumps: what a piece begins with, its rise and its jump are
    together what the next one begins with. And Λ rises by the share of the one kind times its density, and
    jumps by the share of the other times its mass, the shares being those of e^(−ε·distance), and is 0 at T.
    """
    every = Domain((*PARAMETERS, Integer("d", least=1)))
    at_turn = Domain(PARAMETERS)

    def piece(of: str, place: int, more: int, part: int | None = None) -> Formula:
        """One number of the piece that begins at T + place·d + more; or all of it together."""

        def read(c: World, turn: Any, epsilon: Any, width: Any, lean: Any, d: Any = 0) -> Any:
            found = getattr(Ladder(turn, width, lean, epsilon), of)(turn + place * d + more, c)
            return found[0] + found[1] + found[2] if part is None else found[part]

        return read

    def kinds(place: int, more: int, part: int) -> Formula:
        """What the share of one kind at T + place·d + more makes of the rise, or of the jump."""

        def read(c: World, turn: Any, epsilon: Any, width: Any, lean: Any, d: Any = 0) -> Any:
            back = receding(c.exp(-c.number(epsilon) * abs(place * d + more)))
            share = 1 - back if place > 0 or (place == 0 and more >= 0) else back
            if part == 1:
                return share * height(width, 0, epsilon, c)
            return (1 - share) * mass(0, c.exp(-c.number(epsilon)), c)

        return read

    owed = []
    for domain, place, more in (
        (every, 1, 0),
        (every, -1, -2),
        *((at_turn, 0, more) for more in (0, -1, -2)),
    ):
        for of in ("piece", "cut_piece"):
            following = piece(of, place, more + 1, 0)
            owed.append(Comparison(domain, piece(of, place, more), "==", following))
        for part in (1, 2):
            found = piece("piece", place, more, part)
            owed.append(Comparison(domain, found, "==", kinds(place, more, part)))
    start = Comparison(at_turn, piece("piece", 0, 0, 0), "==", 0)
    return (*owed, start)


def cuts_rise() -> tuple[Comparison, ...]:
    """That cut falls nowhere, where the share does not fall from one place to the next, and it does not."""
    shares = (
        Real("share", least=0, most=1),
        Real("share after", least=lambda c, share: share, most=1),
        Real("slope", least=0),
        Real("step", least=0),
        Real("lean", least=0),
    )

    def cut(part: int) -> Formula:
        def read(c: World, share: Any, after: Any, slope: Any, step: Any, lean: Any) -> Any:
            zero = c.number(0)
            return pieces(zero, share, after, lean, Rungs(zero, step, slope, zero))[1][part]

        return read

    powers = Domain((Real("q", above=0, below=1), Real("p", above=0, most=1)))
    return (
        *(Comparison(Domain(shares), 0, "<=", cut(part)) for part in (1, 2)),
        Comparison(powers, lambda c, q, p: 1 - receding(p), "<=", lambda c, q, p: 1 - receding(p * q)),
        Comparison(powers, lambda c, q, p: receding(p * q), "<=", lambda c, q, p: receding(p)),
    )


def tails_meet() -> tuple[Comparison, ...]:
    """That the masses beyond a number are those of the steps: on step k the density is e^(−εk); where a step
    ends, the mass beyond is the one that the next step begins with; and both sides of a number on the flat
    part have the mass 1. a and b are Λ at the places so many steps, and one more, from the center.
    """

    def law(c: World, epsilon: Any, near: Any, far: Any, k: Any, side: int) -> WholeStaircase:
        made = WholeStaircase(c.number(0), Ladder(0, 0, 0, epsilon), NO_SCALE, c)  # type: ignore[arg-type]
        # trees add no zeros up, and a tree that is the same is the same object
        rungs = ((side * k, near), (side * (k + 0), near), (side * (k + 1), far))
        made.__dict__["_rung"] = lambda place, bits: next(rung for at, rung in rungs if at is place)
        return made

    steps = (Real("ε", above=0), Integer("k", least=0), Real("a"), Real("b"))

    def end(side: int) -> Formula:
        """Where step k ends: as far beyond a as there is room."""

        def place(c: World, epsilon: Any, k: Any, a: Any, b: Any) -> Any:
            return a + side * law(c, epsilon, a, b, k, side)._room(side, k, a)

        return place

    def tail(side: int, more: int) -> Formula:
        def beyond(c: World, epsilon: Any, k: Any, a: Any, b: Any) -> Any:
            s = end(side)(c, epsilon, k, a, b)
            return law(c, epsilon, a, b, k, side)._tail(side, k + more, s)

        return beyond

    def slope(side: int) -> Formula:
        def lost(c: World, epsilon: Any, k: Any, a: Any, b: Any, s: Any, h: Any) -> Any:
            made = law(c, epsilon, a, b, k, side)
            return made._tail(side, k, s) - made._tail(side, k, s + side * h)

        return lost

    def left_at_end(side: int) -> Formula:
        """The mass of all further steps: 1/(e^ε − 1) times what Λ rises by, times e^(−εk)."""

        def mass_of(c: World, epsilon: Any, k: Any, a: Any, b: Any) -> Any:
            return c.exp(-c.number(epsilon) * k) * side * (b - a) * ratio(epsilon, c)

        return mass_of

    def both(c: World, epsilon: Any, a: Any, s: Any) -> Any:
        made = law(c, epsilon, a, a, 0, 1)
        return made._tail(-1, 0, s) + made._tail(1, 0, s)

    domain, moved = Domain(steps), Domain((*steps, Real("s"), Real("h")))
    return (
        *(Comparison(domain, tail(side, 0), "==", tail(side, 1)) for side in (1, -1)),
        *(Comparison(domain, tail(side, 0), "==", left_at_end(side)) for side in (1, -1)),
        *(
            Comparison(
                moved, slope(side), "==", lambda c, epsilon, k, a, b, s, h: c.exp(-c.number(epsilon) * k) * h
            )
            for side in (1, -1)
        ),
        Comparison(Domain((steps[0], Real("a"), Real("s"))), both, "==", 1),
    )
