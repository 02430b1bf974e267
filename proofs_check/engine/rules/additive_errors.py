"""No noise S·Z for cells of many establishments has a smaller error: a certificate, checked in fractions.

A move is a change between neighboring cells: the largest establishment has L workers, one of x ≤ L grows by
g. In units of the scale S before it, the release d + m·Z comes from the changed cell, with d = g/S and m =
T/S for the scale T after it, and Z from the other. Amounts are given by a move, a direction and a cell [i/K,
(i+1)/K), at both ends of the cell; between them they are linear. Direction "there" is for outputs z in the
cell, which come from the place (z − d)/m of Z under the changed cell; "back" is for places w of Z in the
cell, from which the changed cell releases m·w + d.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal, NamedTuple

from establish.proofs_check.engine.rules.limits import SCALE, least_decay
from establish.proofs_check.engine.rules.rule import by_certificate, rule
from establish.proofs_check.engine.statements.additive_errors import NoAdditiveErrorBelow
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import EXACT
from establish.spec.relations.growth import growth_bound, largest_growth


class Move(NamedTuple):
    """The largest establishment, the one that grows, and by how much."""

    largest: int
    workers: int
    growth: int

    def allowed(self, alpha: Fraction) -> bool:
        """Whether the two cells are neighbors."""
        grows = 0 <= self.workers <= self.largest and self.growth >= 1
        return grows and self.growth <= largest_growth(self.workers, alpha)

    def shift_and_factor(self, alpha: Fraction) -> tuple[Fraction, Fraction]:
        """d and m."""
        before = Fraction(growth_bound(self.largest, alpha, EXACT))
        largest = max(self.largest, self.workers + self.growth)
        return self.growth / before, Fraction(growth_bound(largest, alpha, EXACT)) / before


Direction = Literal["there", "back"]


@dataclass(frozen=True)
class AdditiveCertificate:
    """K, and amounts ≥ 0 at both ends of cells by (move, direction, cell), times SCALE."""

    alpha: Fraction
    epsilon: Fraction
    per_unit: int
    amounts: dict[tuple[Move, Direction, int], tuple[int, int]]


def shown_by(certificate: AdditiveCertificate) -> Fraction | None:
    """The E|Z| that the certificate shows to be necessary; None where an amount is none of those.

    It is the least value of |z| − (amounts that are taken from z) + q·(amounts that are given to z), which is
    linear between neighboring ends of cells and of their images. All intervals contain their left ends.
    """
    c, decay = certificate, least_decay(certificate.epsilon)
    moves = {move: move.shift_and_factor(c.alpha) for move, _, _ in c.amounts}
    if not all(move.allowed(c.alpha) for move in moves):
        return None
    changes: dict[Fraction, list[Fraction]] = {Fraction(0): [Fraction(0), Fraction(0)]}

    def add(start: Fraction, end: Fraction, first: Fraction, last: Fraction) -> None:
        """What is linear from ``first`` at the start to ``last`` at the end, and 0 elsewhere."""
        slope = (last - first) / (end - start)
        for place, sign in ((start, 1), (end, -1)):
            change = changes.setdefault(place, [Fraction(0), Fraction(0)])
            change[0] += sign * (first - slope * start)
            change[1] += sign * slope

    for (move, direction, i), ends in c.amounts.items():
        if min(ends) < 0 or direction not in ("there", "back"):
            return None
        shift, factor = moves[move]
        start, end = Fraction(i, c.per_unit), Fraction(i + 1, c.per_unit)
        first, last = (Fraction(amount, SCALE) for amount in ends)
        add(start, end, first * decay / SCALE, last * decay / SCALE)
        if direction == "there":
            start, end = (start - shift) / factor, (end - shift) / factor
        else:
            start, end = factor * start + shift, factor * end + shift
        add(start, end, -first, -last)
    places = sorted(changes)
    least = min(-places[0], places[-1])
    at_zero = slope = Fraction(0)
    for start, end in pairwise(places):
        at_zero, slope = at_zero + changes[start][0], slope + changes[start][1]
        least = min(least, *(abs(z) + at_zero + slope * z for z in (start, end)))
    return least


@rule
def by_moved_amounts(statement: NoAdditiveErrorBelow, certificate: AdditiveCertificate) -> Evidence:
    """Let the release be private, q ≤ e^(−ε), and Y = d + m·Z for a move between neighboring cells. For every
    function a ≥ 0 then E a(Y) − q·E a(Z) ≥ 0 and E a(Z) − q·E a(Y) ≥ 0. An amount "there" is the function a
    itself on its cell, an amount "back" is w ↦ a(m·w + d) on its: so E a(Y) or E a(Z) is what is taken from
    the images, and q times the other what is given to the cell. All of them added up, E(taken − given) ≥ 0.
    Where |z| − taken(z) + given(z) is at least V for every z, E|Z| ≥ V + E(taken − given) ≥ V. Beyond all
    cells and images |z| itself is at least V.
    """
    fits = (statement.alpha, statement.epsilon) == (certificate.alpha, certificate.epsilon)
    shown = shown_by(certificate) if fits else None
    enough = shown is not None and shown >= statement.value
    return by_certificate(statement, enough, "by_moved_amounts")
