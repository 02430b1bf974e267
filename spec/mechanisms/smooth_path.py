"""Smooth Path: n + S·Z, −ln of Z's density the length of the shortest path from its flat part; ours.

S = max(α·x, 1) for the largest establishment count x of the cell. With Smooth Staircase every step of the
path costs the same wherever it ends; here it costs what the move does. Fine steps are taken as far as the
argument goes, then those of Smooth Staircase follow, and where no fine step is possible the two are the
same. The flat part is that of Smooth Staircase.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor

from establish.spec.arithmetic import ARB, MP, Number, World, enclosing
from establish.spec.distributions.shortest_path import ShortestPath
from establish.spec.domains import UNCHOSEN
from establish.spec.growth_scale import ends
from establish.spec.mechanisms.smooth_staircase import SmoothStaircaseMechanism
from establish.spec.parameters import nonnegative
from establish.spec.relations.growth import growth_bound

MOST_STEPS = 24
"""More fine steps than these are not taken."""

MOST_TURN = 64
"""Where ``turn`` would be larger, no fine step is taken."""


def turn(alpha: Fraction) -> int | None:
    """The least j ≥ 1 with α·j ≥ 1 − (1+α)^(−j−1); None above MOST_TURN.

    On no fine step below is the density more than (1+α)^(j+1) times that at its end.
    """
    found = (j for j in range(1, MOST_TURN + 1) if alpha * j >= 1 - (1 + alpha) ** (-j - 1))
    return next(found, None)


def fine_steps(alpha: Fraction, epsilon: Fraction, down: Fraction) -> tuple[int, int]:
    """How many fine steps may be taken from r1 = ``down``, and the turn, which is 1 where there are none.

    So many that fine·ln(1+α) ≤ ε, r1 + fine ≤ 2/α and fine ≤ MOST_STEPS; none where (turn+2)·ln(1+α) > ε.
    """
    with enclosing():
        room = floor(ends(ARB.number(epsilon) / ARB.log(1 + ARB.number(alpha)))[0])
    turns = turn(alpha)
    if turns is None or turns + 2 > room:
        return 0, 1
    fine = min(MOST_STEPS, room, floor(2 / alpha - down))
    return (fine, turns) if fine > 0 else (0, 1)


class SmoothPathMechanism(SmoothStaircaseMechanism):
    """n + S·Z where Smooth Staircase is defined; privacy loss exactly ε. Raises ParameterError elsewhere."""

    fine: int = UNCHOSEN
    turn: int = UNCHOSEN

    def choose(self) -> None:
        super().choose()
        self.fine, self.turn = fine_steps(self.alpha, self.epsilon, self.down)

    def output(self, sizes: Sequence[int | Fraction], c: World = MP) -> ShortestPath:  # type: ignore[override]
        return self.cell_law(sum(sizes), nonnegative("x", max(sizes, default=0)), c)

    def cell_law(self, count: Number, largest: Number, c: World = MP) -> ShortestPath:  # type: ignore[override]
        scale = growth_bound(largest, self.alpha, c)
        ends = self.down, self.up
        given = self.alpha, self.epsilon, *ends, c, self.fine, self.turn
        return ShortestPath(c.number(count), scale, *given)
