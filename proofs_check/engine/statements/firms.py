"""``a firm of ℓ establishments costs times(ℓ) of what one of them costs``, with an adversary."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from establish.proofs_check.engine.statements.domain import printed
from establish.proofs_check.engine.statements.gaussian import (
    BITS,
    FUNCTIONS,
    EstablishmentPrivate,
    bounds_for,
    close_pairs,
)
from establish.proofs_check.engine.statements.planted import scaled
from establish.proofs_check.engine.statements.statement import Formula, Point, Statement, Truth
from establish.proofs_check.engine.statements.variables import Integer
from establish.spec.arithmetic import ARB, enclosing
from establish.spec.neighbor_functions.functions import NeighborFunction

SIZE = Integer("ℓ", least=1)

FIRMS = ((1, True), (2, True), (2, False), (3, True))
"""How many establishments the firms have that the adversary tries, and whether they are in one group."""

Change = tuple[Fraction, Fraction]
"""The value of an establishment, the same in every attribute, before and after."""


@dataclass(frozen=True)
class FirmPrivate(Statement):
    """What ``one`` says of the record of one establishment, for the records of ℓ of them at once: the level
    is then times(ℓ) of that of one.

    times: a formula of a world and ℓ.
    """

    one: EstablishmentPrivate
    times: Formula

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return (*self.one.formulas, self.times)

    @property
    def text(self) -> str:
        level = f"({printed(self.times, (SIZE,))})·({self.one.said_level})"
        return f"for every ℓ ≥ 1, {self.one.told('records of ℓ establishments, each with', level)}"

    def at(self, point: Point) -> Truth:
        """At parameters, a neighbor function ``ψ``, the ``changes`` of the establishments as pairs of values,
        and whether they are all in one group, ``together``, or each alone in a group of its own. Bounds are
        the larger values.
        """
        domain = self.one.domain
        *_, psi, given, together = self.taken(point, *domain.names, "ψ", "changes", "together")
        values = domain.own_values(point)
        changes = [(Fraction(x), Fraction(y)) for x, y in given]
        gamma = self.one.gamma(*values)
        if psi.real_at_zero != self.one.real or not all(psi.close(*c, gamma) for c in changes):
            raise self.refused(f"not all of {given} are close under ψ = {psi.name}")
        worst = self._excess(values, psi, changes, bool(together))
        told = ", ".join(f"{x} becomes {y}" for x, y in changes)
        return Truth(not worst, f"ψ = {psi.name}, {told}: {worst or 'the inequality holds'}", exact=False)

    searched = ("{} firms", f"{{}} firms of up to {FIRMS[-1][0]} establishments, in Arb")

    def refutations(self, effort: int) -> Iterator[str]:
        for values in self.one.domain.simple_points(max(2, effort // 40)):
            gamma = self.one.gamma(*values)
            for psi in FUNCTIONS[self.one.real]:
                for change in close_pairs(psi, gamma):
                    for size, together in FIRMS:
                        worst = self._excess(values, psi, [change] * size, together)
                        where = "in one group" if together else "in groups of their own"
                        yield worst and (
                            f"{self.one.domain.told(values)}, ψ = {psi.name}, {size} establishments {where}, "
                            f"{float(change[0]):.9g} becomes {float(change[1]):.9g}: {worst}"
                        )

    def planted(self) -> Iterator[tuple[str, Statement]]:
        yield from scaled(self, "times", said="level")

    def _excess(
        self, values: Sequence[Fraction], psi: NeighborFunction, changes: Sequence[Change], together: bool
    ) -> str:
        """By how much the cost is certainly above the level, in words; empty where it is not."""
        groups = [changes] if together else [[change] for change in changes]
        answers: list[Any] = list(self.one.answers(psi, *values))
        with enclosing(BITS):
            level = ARB.number(self.one.level(ARB, *(ARB.number(v) for v in values)))
            level = level * self.times(ARB, ARB.number(len(changes)))
            square = ARB.number(0)
            for _, mechanism in answers:
                for group in groups:
                    most = [max(change) for change in group]
                    given = bounds_for(mechanism, most[0], most[1:])
                    first, second = (
                        mechanism.output(list(state), *given, ARB) for state in zip(*group, strict=True)
                    )
                    if not first.sd > 0:
                        return ""
                    square += ((first.mean - second.mean) / first.sd) ** 2
            return self.above(square.sqrt(), level, "the cost is")


def OfFirm(one: EstablishmentPrivate, *, times: Formula) -> FirmPrivate:
    """The statement ``one`` for ℓ establishments at once, at the level times(ℓ) of one of them.

    Raises StatementError for a formula that reads more than ``establish.spec``.
    """
    return FirmPrivate(one, times).of_spec()
